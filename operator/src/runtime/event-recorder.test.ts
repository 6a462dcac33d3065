import type { KubeObject } from '@gantry/contract/define-kind.ts';
import type { Resource } from '@gantry/kube/resource.ts';
import { SteppedClock, turns } from '@gantry/kube/testing/stepped-clock.ts';
import { expect, test } from '@jest/globals';
import { EventRecorder } from './event-recorder.ts';

interface Event {
  metadata: { name: string; namespace: string };
  reason: string;
  note: string;
  type: string;
  eventTime: string;
}

function setUp({ burst = 3, everyMs = 50, mostWaiting = 5 } = {}) {
  const clock = new SteppedClock();
  const events: Event[] = [];
  const counts: Record<string, number> = {};
  let fails = false;
  const recorder = new EventRecorder({
    clock,
    instance: 'me',
    kinds: [{ kind: 'Widget', phases: { failed: { tone: 'bad', en: '', zh: '', ja: '' } } }],
    limits: { burst, everyMs, mostWaiting },
    count: (result) => {
      counts[result] = (counts[result] ?? 0) + 1;
    },
    client: {
      async create(_resource: Resource, object: KubeObject): Promise<KubeObject> {
        if (fails) throw new Error('no');
        events.push(object as unknown as Event);
        return object;
      },
    },
  });
  return { clock, events, counts, recorder, fail: () => (fails = true) };
}
const widget = (status: object, namespace?: string, uid = 'u'): KubeObject =>
  ({
    apiVersion: 'gantry.dev/v1alpha1',
    kind: 'Widget',
    metadata: { name: 'a', uid, ...(namespace && { namespace }) },
    status,
  }) as KubeObject;

test('an event tells another phase or reason, and only that', () => {
  const { recorder, events } = setUp();
  const before = widget({ phase: 'starting', reason: 'Scheduling' }, 'x');
  recorder.record(before, widget({ phase: 'starting', reason: 'Scheduling', message: 'other words' }, 'x'));
  expect(events).toEqual([]);
  recorder.record(before, widget({ phase: 'failed', reason: 'Refused', message: 'why' }, 'x'));
  expect(events).toMatchObject([
    {
      metadata: { namespace: 'x' },
      type: 'Warning',
      reason: 'Refused',
      note: 'why',
      eventTime: '2026-01-01T00:00:00.000000Z',
      reportingController: 'gantry.dev/operator',
      reportingInstance: 'me',
      regarding: { kind: 'Widget', name: 'a', namespace: 'x', uid: 'u' },
    },
  ]);
});

test('events of cluster-wide objects are in "default"; no two have the same name', () => {
  const { recorder, events } = setUp();
  for (const phase of ['one', 'two']) recorder.record(widget({}), widget({ phase }));
  expect(events.map(({ metadata }) => metadata.namespace)).toEqual(['default', 'default']);
  expect(new Set(events.map(({ metadata }) => metadata.name)).size).toBe(2);
});

test('a flood trails behind, and what is too much is dropped and counted', async () => {
  const { recorder, events, clock, counts } = setUp();
  for (let at = 0; at < 10; at++) recorder.record(widget({}), widget({ phase: 'on' }, 'x', `${at}`));
  expect(events).toHaveLength(3);
  await clock.step(100);
  expect(events).toHaveLength(5);
  await clock.step(10_000);
  expect(counts).toEqual({ recorded: 8, dropped: 2 });
  expect(clock.waitingMs).toEqual([]);
});

test('in a flood, the newest event of an object takes the place of the one that waits, and no warning is lost', async () => {
  const { recorder, events, clock, counts } = setUp({ burst: 1 });
  const became = (phase: string, uid: string) => recorder.record(widget({}), widget({ phase }, 'x', uid));
  became('first', 'other');
  became('starting', 'mine');
  recorder.warn(widget({}), 'PlanFailed', 'one');
  recorder.warn(widget({}), 'PlanFailed', 'two');
  became('running', 'mine');
  await clock.step(10_000);
  expect(events.map(({ reason, note }) => [reason, note])).toEqual([
    ['first', 'Widget is first'],
    ['running', 'Widget is running'],
    ['PlanFailed', 'one'],
    ['PlanFailed', 'two'],
  ]);
  expect(counts).toEqual({ recorded: 4, replaced: 1 });
});

test('an event that cannot be recorded is counted and harms nobody', async () => {
  const { recorder, counts, fail } = setUp();
  fail();
  recorder.record(widget({}), widget({ phase: 'x' }));
  await turns();
  expect(counts).toEqual({ failed: 1 });
});

test('a long message is cut at a whole character within 1024 bytes', () => {
  const { recorder, events } = setUp();
  recorder.record(widget({}), widget({ phase: 'x', message: '漢'.repeat(2000) }));
  const { note } = events[0] as Event;
  expect(Buffer.byteLength(note)).toBeLessThanOrEqual(1024);
  expect(note).toMatch(/^漢+…$/);
});
