// The events that listeners receive, without a network: replay, order, slow readers, audiences.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { image } from '@gantry/contract/kinds/image.ts';
import { organization } from '@gantry/contract/kinds/organization.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { describe, expect, test } from '@jest/globals';
import { fc } from '../../../../test/support/seeded-fast-check.ts';
import type { Sink } from './stream-client.ts';
import { positionOf } from './stream-frames.ts';
import { type HubParts, type Listener, type ResourceChange, StreamHub } from './stream-hub.ts';

const ANN: Listener = {
  session: 'ses-1',
  account: 'ann',
  organization: 'acme',
  role: 'owner',
  membership: 'owner',
  language: 'en',
  watches: ['gpuinstances', 'gpuhosts'],
  isPerson: true,
};

const change = (
  facts: ResourceChange['kind'],
  name: string,
  version: number,
  namespace = 'org-acme',
  spec: object = {},
): ResourceChange => {
  const after = { metadata: { name, namespace, resourceVersion: `${version}` }, spec } as unknown as KubeObject;
  return { kind: facts, namespace, name, after };
};

const hubWith = (parts: Partial<HubParts> = {}) => {
  const clock = new SteppedClock();
  const hub = new StreamHub({
    clock,
    view: (_, object, language, role) => ({ id: object.metadata.name, language, role }),
    ...parts,
  });
  return { clock, hub };
};

/** A reader whose network takes everything at once, or nothing any more. */
class Reader implements Sink {
  text = '';
  isOpen = true;
  isDeaf = false;
  backlog = 0;
  taken = 0;
  write(chunk: Buffer) {
    if (this.isDeaf) this.backlog += chunk.length;
    else {
      this.text += chunk.toString();
      this.taken += chunk.length;
    }
  }
  end() {
    this.isOpen = false;
  }
  destroy() {
    this.isOpen = false;
  }
  get events() {
    return eventsIn(this.text);
  }
}

interface Heard {
  id: string;
  name: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever was sent
  data: any;
}

function eventsIn(text: string): Heard[] {
  return text.split('\n\n').flatMap((block) => {
    const fields = new Map(
      block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
    );
    const data = fields.get('data');
    return data === undefined
      ? []
      : [{ id: fields.get('id') ?? '', name: fields.get('event') ?? '', data: JSON.parse(data) }];
  });
}

const open = (hub: StreamHub, listener: Listener = ANN, reader = new Reader()) => {
  const { client, position } = hub.join(listener, reader);
  client.begin(Buffer.from(''));
  return { client, position, reader };
};

describe('changes', () => {
  test('each listener hears its organisation’s, of the kinds it watches, in its language and for its role', () => {
    const { hub } = hubWith();
    const ann = open(hub);
    const viewer = open(hub, { ...ANN, role: 'viewer', language: 'zh', watches: ['gpuinstances'] });
    const bob = open(hub, { ...ANN, role: 'member', watches: ['gpuhosts'] });
    const eve = open(hub, { ...ANN, organization: 'other' });
    hub.change(change(gpuInstance, 'a', 7));
    hub.change(change(gpuHost, 'h', 8));
    hub.flush();
    expect(ann.reader.events.map(({ name, data }) => [name, data])).toEqual([
      [
        'resource',
        { kind: 'GpuInstance', id: 'a', type: 'put', view: { id: 'a', language: 'en', role: 'owner' }, version: '7' },
      ],
      [
        'resource',
        { kind: 'GpuHost', id: 'h', type: 'put', view: { id: 'h', language: 'en', role: 'owner' }, version: '8' },
      ],
    ]);
    expect(viewer.reader.events.map(({ data }) => data.view)).toEqual([{ id: 'a', language: 'zh', role: 'viewer' }]);
    expect(bob.reader.events.map(({ data }) => data.view)).toEqual([{ id: 'h', language: 'en', role: 'member' }]);
    expect(eve.reader.text).toBe('');
  });

  test('an organisation is its own; what belongs to none is told to nobody', () => {
    const { hub } = hubWith();
    const { reader } = open(hub, { ...ANN, watches: ['organizations', 'gpuinstances'] });
    const { namespace: _, ...ofCluster } = change(organization, 'acme', 1);
    hub.change(ofCluster);
    hub.change({ ...ofCluster, name: 'other' });
    hub.change(change(gpuInstance, 'a', 2, 'gantry-system'));
    hub.flush();
    expect(reader.events.map(({ data }) => data.id)).toEqual(['acme']);
  });

  test("changes to the platform's offers are sent to everybody, changes to its private objects to nobody", () => {
    const { hub } = hubWith();
    const watches = ['images'];
    const readers = [open(hub, { ...ANN, watches }), open(hub, { ...ANN, organization: 'other', watches })];
    const offered = change(image, 'base', 1, 'gantry-system', { official: true });
    hub.change(offered);
    hub.change(change(image, 'staff', 2, 'gantry-system', { official: false }));
    hub.change({
      ...change(image, 'base', 3, 'gantry-system', { official: false }),
      before: offered.after as KubeObject,
    });
    hub.flush();
    for (const { reader } of readers)
      expect(reader.events.map(({ data }) => [data.id, data.type])).toEqual([
        ['base', 'put'],
        ['base', 'delete'],
      ]);
  });

  test('a deleted object has no view', () => {
    const { hub } = hubWith();
    const { reader } = open(hub);
    const { after, ...gone } = change(gpuInstance, 'a', 9);
    hub.change({ ...gone, ...(after && { before: after }) });
    hub.flush();
    expect(reader.events[0]?.data).toEqual({ kind: 'GpuInstance', id: 'a', type: 'delete', version: '9' });
  });

  test('a view is made once for all who see the same, also for those who come back', () => {
    let made = 0;
    const view = () => {
      made++;
      return {};
    };
    const { hub } = hubWith({ view });
    const readers = Array.from({ length: 5 }, () => open(hub));
    hub.change(change(gpuInstance, 'a', 1));
    hub.flush();
    hub.beginning(ANN, { ...hub.position, changes: 0 }, hub.position, pageOf([]));
    expect(readers.map(({ reader }) => reader.events.length)).toEqual([1, 1, 1, 1, 1]);
    expect(made).toBe(1);
  });

  test('changes that come together are written together', async () => {
    const { hub, clock } = hubWith();
    let writes = 0;
    const reader = new Reader();
    const write = reader.write.bind(reader);
    reader.write = (chunk) => {
      writes++;
      write(chunk);
    };
    open(hub, ANN, reader);
    writes = 0;
    for (let version = 1; version <= 50; version++) hub.change(change(gpuInstance, 'a', version));
    await clock.step(1);
    expect(writes).toBe(1);
    expect(reader.events.map(({ data }) => data.version)).toEqual(Array.from({ length: 50 }, (_, at) => `${at + 1}`));
  });
});

describe('coming back', () => {
  test('another process, or a place that is forgotten, is a reset; the messages are not touched by it', () => {
    const { hub } = hubWith({ limits: { log: { mostOfOne: 1, most: 10 } } });
    const { position } = open(hub);
    hub.change(change(gpuInstance, 'a', 1));
    hub.change(change(gpuInstance, 'a', 2));
    hub.change(change(gpuHost, 'h', 3));
    const now = hub.position;
    const [, reset, host] = eventsIn(hub.beginning(ANN, position, now, pageOf([])));
    expect([reset?.name, reset?.data]).toEqual(['reset', { kinds: ['gpuinstances'] }]);
    expect(host?.data).toMatchObject({ id: 'h' });
    const [, other] = eventsIn(hub.beginning(ANN, { ...position, epoch: 'abc' }, now, pageOf([])));
    expect([other?.name, other?.data]).toEqual(['reset', { kinds: ['gpuinstances', 'gpuhosts'] }]);
    expect(eventsIn(hub.beginning(ANN, undefined, now, pageOf([])))).toEqual([expect.objectContaining({ name: '' })]);
  });

  test('a heartbeat moves the id on, so that a quiet reader is not reset', () => {
    const { hub } = hubWith();
    const { reader } = open(hub);
    hub.change(change(gpuInstance, 'a', 1, 'org-other'));
    hub.beat();
    expect(reader.text).toBe(`:\nid:0.${hub.epoch}.1\n\n`);
  });

  test('whenever it is dropped and however often: nothing lost, nothing twice, everything in order', () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom('instance', 'host', 'official', 'other') },
      { weight: 2, arbitrary: fc.constant('message') },
      { weight: 2, arbitrary: fc.constantFrom('flush', 'beat') },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 6 }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const world = new World();
        for (const each of steps) world.play(each);
        world.hub.flush();
        world.take(Number.POSITIVE_INFINITY);
        for (const what of ['change', 'message']) {
          const only = (all: readonly string[]) => all.filter((each) => each.startsWith(what));
          expect(only(world.heard)).toEqual(only(world.sent));
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** A gateway, and one reader who is cut off at times and reconnects like a browser. */
class World {
  readonly hub = hubWith().hub;
  readonly sent: string[] = [];
  readonly heard: string[] = [];
  readonly #stored: number[] = [];
  #version = 0;
  #lastId = '';
  #reader = new Reader();
  #client = this.#connect();

  /** A number: the reader is cut off, having got so many of the events that were written to it. */
  play(step: string | number): void {
    if (typeof step === 'number') {
      this.#client.cut();
      this.take(step);
      this.#client = this.#connect();
    } else if (step === 'flush') this.hub.flush();
    else if (step === 'beat') this.hub.beat();
    else if (step === 'message') this.#message();
    else this.#change(step);
  }

  take(most: number): void {
    for (const { id, name, data } of this.#reader.events.slice(0, most)) {
      this.#lastId = id;
      if (name === 'resource') this.heard.push(`change ${data.version}`);
      else for (const message of data.data) this.heard.push(`message ${message.id}`);
    }
  }

  #message(): void {
    const number = this.#stored.length + 1;
    this.#stored.push(number);
    this.sent.push(`message ${number}`);
    this.hub.tell(number, [{ account: 'ann', organization: 'acme', page: () => pageOf([number]) }]);
  }

  #change(what: string): void {
    this.#version++;
    const isOurs = what !== 'other';
    if (isOurs) this.sent.push(`change ${this.#version}`);
    const [facts, namespace, spec] =
      what === 'official'
        ? ([image, 'gantry-system', { official: true }] as const)
        : ([what === 'host' ? gpuHost : gpuInstance, isOurs ? 'org-acme' : 'org-other', {}] as const);
    this.hub.change(change(facts, 'a', this.#version, namespace, spec));
  }

  /** As the route does it. */
  #connect() {
    const seen = positionOf(this.#lastId);
    this.#reader = new Reader();
    const listener = { ...ANN, watches: [...ANN.watches, 'images'] };
    const { client, position } = this.hub.join(listener, this.#reader);
    // While the beginning is read from SQL the world goes on.
    this.#change('instance');
    if (this.#version % 2 === 0) this.hub.flush();
    const missed = this.#stored.filter((number) => number > (seen?.messages ?? 0) && number <= position.messages);
    client.begin(Buffer.from(this.hub.beginning(listener, seen, position, pageOf(missed))));
    return client;
  }
}

const pageOf = (numbers: readonly number[]) => ({
  data: numbers.map((number) => ({ id: `${number}`, title: '', content: '', create_time: '', is_read: false })),
  un_read: 0,
  next_cursor: '0',
  has_more: false,
});

describe('readers', () => {
  test('one that takes nothing is cut off once it is too far behind; the others hear on, and its memory is given back', () => {
    const { hub } = hubWith({ limits: { client: { backlogBytes: 1_000, stuckHeartbeats: 4 } } });
    const slow = open(hub);
    const quick = open(hub);
    slow.reader.isDeaf = true;
    for (let version = 1; version <= 40; version++) {
      hub.change(change(gpuInstance, 'a', version));
      hub.flush();
    }
    expect(slow.reader.isOpen).toBe(false);
    expect(slow.reader.backlog).toBeLessThan(1_500);
    expect(quick.reader.events).toHaveLength(40);
    expect(hub.size).toBe(1);
  });

  test('one whose other side is gone is noticed by its heartbeats', () => {
    const { hub } = hubWith();
    const gone = open(hub);
    const there = open(hub);
    gone.reader.isDeaf = true;
    for (let beat = 0; beat < 6; beat++) hub.beat();
    expect([gone.reader.isOpen, there.reader.isOpen]).toEqual([false, true]);
  });

  test('changes during the first read follow it, as many as fit', () => {
    const { hub } = hubWith({ limits: { client: { backlogBytes: 1_000, stuckHeartbeats: 4 } } });
    const reader = new Reader();
    const { client } = hub.join(ANN, reader);
    hub.change(change(gpuInstance, 'a', 1));
    hub.flush();
    expect(reader.text).toBe('');
    client.begin(Buffer.from('data:"first"\n\n'));
    expect(reader.events.map(({ data }) => data.version ?? data)).toEqual(['first', '1']);
    const never = hub.join(ANN, new Reader());
    for (let version = 1; version <= 20; version++) hub.change(change(gpuInstance, 'a', version));
    hub.flush();
    expect(never.client.isOver).toBe(true);
  });

  test('there is an end to how many', () => {
    const { hub } = hubWith({ limits: { ofSession: 2, ofAccount: 3, altogether: 4 } });
    const first = open(hub);
    expect(hub.refusal(ANN)).toBeUndefined();
    open(hub);
    expect(hub.refusal(ANN)).toBe('session');
    open(hub, { ...ANN, session: 'ses-2' });
    expect(hub.refusal({ ...ANN, session: 'ses-2' })).toBe('account');
    open(hub, { ...ANN, session: 'ses-3', account: 'bob' });
    expect(hub.refusal({ ...ANN, session: 'ses-4', account: 'eve' })).toBe('gateway');
    first.client.end();
    expect(hub.refusal(ANN)).toBeUndefined();
    hub.close();
    expect([hub.size, hub.refusal(ANN)]).toEqual([0, 'gateway']);
  });

  test('whoever watches anything is told that messages have gone', () => {
    const { hub } = hubWith();
    const watching = open(hub);
    const bell = open(hub, { ...ANN, watches: [] });
    hub.reread();
    expect(watching.reader.events).toMatchObject([{ name: 'reset', data: { kinds: ['messages'] } }]);
    expect(bell.reader.text).toBe('');
  });

  test('a message is told to all streams of its reader in that organisation', () => {
    const { hub } = hubWith();
    const here = open(hub, { ...ANN, language: 'ja' });
    const elsewhere = open(hub, { ...ANN, organization: 'other' });
    const bob = open(hub, { ...ANN, account: 'bob' });
    const page = (language: string) => ({ data: [], un_read: 1, next_cursor: language, has_more: true });
    hub.tell(3, [{ account: 'ann', organization: 'acme', page }]);
    expect(here.reader.events).toEqual([
      { id: `3.${hub.epoch}.0`, name: '', data: { data: [], un_read: 1, next_cursor: 'ja', has_more: true } },
    ]);
    expect([elsewhere.reader.text, bob.reader.text]).toEqual(['', '']);
  });
});

test('an object that cannot be shown is left out, and whoever listens is told of all others', () => {
  const faults: unknown[] = [];
  const { hub } = hubWith({
    view: (_, { metadata }) => {
      if (metadata.name === 'hostile') throw new Error('cannot be shown');
      return { id: metadata.name };
    },
    onFault: (error) => faults.push(error),
  });
  const { reader } = open(hub);
  hub.change(change(gpuInstance, 'hostile', 1));
  hub.change(change(gpuInstance, 'b', 2));
  hub.flush();
  expect(reader.events.filter(({ name }) => name === 'resource').map(({ data }) => data.id)).toEqual(['b']);
  expect(faults).toHaveLength(1);
});
