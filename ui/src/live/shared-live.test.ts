// Several tabs, one stream: which tab has it, which tabs receive it, and which one takes over when that tab closes.
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { LiveEvent } from './live-stream.ts';
import { type Channel, type Locks, MOST_SILENT_BEATS, SharedLive, type StreamListener } from './shared-live.ts';

class BrowserLocks implements Locks {
  #queue: (() => void)[] = [];
  #holder: { robbed: () => void } | undefined;
  request(_: string, options: { signal: AbortSignal } | { steal: true }, held: () => Promise<void>): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const grant = () => {
      const holder = { robbed: () => reject(new DOMException('stolen', 'AbortError')) };
      this.#holder = holder;
      void held().then(() => {
        resolve();
        if (this.#holder === holder) this.#next();
      });
    };
    if ('steal' in options) {
      this.#holder?.robbed();
      grant();
      return promise;
    }
    this.#queue.push(grant);
    options.signal.addEventListener('abort', () => {
      if (!this.#queue.includes(grant)) return;
      this.#queue = this.#queue.filter((waiting) => waiting !== grant);
      reject(options.signal.reason);
    });
    if (!this.#holder) this.#next();
    return promise;
  }
  #next(): void {
    this.#holder = undefined;
    this.#queue.shift()?.();
  }
}

/** Channels of one browser: each hears the others, at once. */
class BrowserChannels {
  readonly open = new Set<(event: MessageEvent) => void>();
  channel(): Channel {
    let mine: ((event: MessageEvent) => void) | undefined;
    return {
      addEventListener: (_, listener) => {
        mine = listener;
        this.open.add(listener);
      },
      postMessage: (said) => {
        const event = new MessageEvent('message', { data: structuredClone(said) });
        for (const listener of this.open) if (listener !== mine) listener(event);
      },
      close: () => void (mine && this.open.delete(mine)),
    };
  }
}

interface Opened {
  readonly tab: string;
  readonly lastId: string;
  readonly listener: StreamListener;
  isOpen: boolean;
  starts: number;
}

let locks: Locks | undefined;
let channels: BrowserChannels;
let streams: Opened[];
let beats: Set<() => void>;

function openTab(tab: string) {
  const heard: string[] = [];
  const self = { isSeen: true, isSuspended: false };
  const live = new SharedLive({
    name: 'acme',
    ...(locks && { locks, openChannel: () => channels.channel() }),
    openStream: (listener, lastId) => {
      const opened: Opened = { tab, lastId, listener, isOpen: false, starts: 0 };
      streams.push(opened);
      return {
        start: () => {
          opened.isOpen = true;
          opened.starts++;
        },
        stop: () => {
          opened.isOpen = false;
        },
      };
    },
    onEvent: ({ data }) => heard.push(String(data)),
    onState: (state) => heard.push(state.status),
    onGap: () => heard.push('gap'),
    every: (_, run) => {
      const beat = () => {
        if (!self.isSuspended) run();
      };
      beats.add(beat);
      return () => void beats.delete(beat);
    },
    isSeen: () => self.isSeen,
  });
  return { live, heard, self };
}

const event = (data: string, id: string): LiveEvent => ({ name: 'resource', data, id });
const settled = async () => {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
};
const beat = async (times: number) => {
  for (let time = 0; time < times; time++) for (const each of [...beats]) each();
  await settled();
};
const open = () => streams.filter(({ isOpen }) => isOpen);

beforeEach(() => {
  locks = new BrowserLocks();
  channels = new BrowserChannels();
  streams = [];
  beats = new Set();
});

describe('tabs of one browser', () => {
  test('have one stream, and all hear it', async () => {
    const first = openTab('first');
    const second = openTab('second');
    await settled();
    expect(open().map(({ tab }) => tab)).toEqual(['first']);
    streams[0]?.listener.onState({ status: 'connected' });
    streams[0]?.listener.onEvent(event('hello', '1'));
    expect(first.heard).toEqual(['connected', 'gap', 'hello']);
    expect(second.heard).toEqual(['connecting', 'connected', 'gap', 'hello']);
  });

  test('each reads once what it may have missed, also a tab that comes when the stream is there', async () => {
    const first = openTab('first');
    await settled();
    streams[0]?.listener.onState({ status: 'connected' });
    streams[0]?.listener.onEvent(event('hello', '7'));
    const second = openTab('second');
    openTab('third');
    streams[0]?.listener.onState({ status: 'connected' });
    expect(first.heard.filter((heard) => heard === 'gap')).toHaveLength(1);
    expect(second.heard).toEqual(['connected', 'gap', 'connected', 'connected']);
  });

  test('the next goes on from the place that the one before had reached', async () => {
    const first = openTab('first');
    const second = openTab('second');
    const third = openTab('third');
    await settled();
    streams[0]?.listener.onState({ status: 'connected' });
    streams[0]?.listener.onEvent(event('hello', '7'));
    first.live.stop();
    await settled();
    expect(open().map(({ tab, lastId }) => [tab, lastId])).toEqual([['second', '7']]);
    streams[1]?.listener.onState({ status: 'connected' });
    streams[1]?.listener.onEvent(event('again', '8'));
    for (const { heard } of [second, third])
      expect(heard.slice(heard.indexOf('connected'))).toEqual(['connected', 'gap', 'hello', 'connected', 'again']);
    expect(first.heard).toEqual(['connected', 'gap', 'hello']);
  });

  test('a tab that comes later is told how it stands, and the place', async () => {
    const first = openTab('first');
    await settled();
    streams[0]?.listener.onEvent(event('hello', '7'));
    streams[0]?.listener.onState({ status: 'failed', error: 'no network' });
    const second = openTab('second');
    await settled();
    expect(second.heard).toEqual(['failed']);
    first.live.stop();
    await settled();
    expect(streams[1]?.lastId).toBe('7');
  });

  test('a tab that knows no place reads what it may have missed', async () => {
    const first = openTab('first');
    const second = openTab('second');
    await settled();
    first.live.stop();
    await settled();
    streams[1]?.listener.onState({ status: 'connected' });
    streams[1]?.listener.onState({ status: 'connected' });
    streams[1]?.listener.onEvent(event('hello', '1'));
    streams[1]?.listener.onState({ status: 'connected' });
    expect(second.heard.join(' ')).toBe('connecting connected gap connected gap hello connected');
  });

  test('any of them can try again', async () => {
    const first = openTab('first');
    const second = openTab('second');
    await settled();
    second.live.retry();
    first.live.retry();
    expect(streams.map(({ starts }) => starts)).toEqual([3]);
  });

  test('a tab that closes while it waits never leads', async () => {
    const first = openTab('first');
    const second = openTab('second');
    await settled();
    second.live.stop();
    first.live.stop();
    await settled();
    expect(streams.map(({ tab }) => tab)).toEqual(['first']);
    expect(open()).toEqual([]);
  });
});

describe('a tab that leads and is suspended', () => {
  test('is left alone while it says that it leads', async () => {
    openTab('first');
    openTab('second');
    await settled();
    await beat(10 * MOST_SILENT_BEATS);
    expect(streams.map(({ tab }) => tab)).toEqual(['first']);
  });

  test('loses its place to one that is looked at, which goes on where it stood, and leads again after that one', async () => {
    const first = openTab('first');
    const second = openTab('second');
    const third = openTab('third');
    third.self.isSeen = false;
    await settled();
    streams[0]?.listener.onEvent(event('hello', '7'));
    first.self.isSuspended = true;
    await beat(MOST_SILENT_BEATS - 1);
    expect(open().map(({ tab }) => tab)).toEqual(['first']);
    await beat(1);
    expect(open().map(({ tab, lastId }) => [tab, lastId])).toEqual([['second', '7']]);
    first.self.isSuspended = false;
    await beat(10 * MOST_SILENT_BEATS);
    streams[1]?.listener.onEvent(event('again', '8'));
    expect(first.heard.at(-1)).toBe('again');
    third.live.stop();
    second.live.stop();
    await settled();
    expect(open().map(({ tab, lastId }) => [tab, lastId])).toEqual([['first', '8']]);
  });

  test('keeps its place where nobody looks at another', async () => {
    const first = openTab('first');
    openTab('second').self.isSeen = false;
    await settled();
    first.self.isSuspended = true;
    await beat(10 * MOST_SILENT_BEATS);
    expect(open().map(({ tab }) => tab)).toEqual(['first']);
  });
});

test('a browser without locks has a stream in each tab', async () => {
  locks = undefined;
  openTab('first');
  openTab('second');
  await settled();
  expect(open().map(({ tab }) => tab)).toEqual(['first', 'second']);
});
