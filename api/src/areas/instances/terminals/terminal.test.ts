// A browser that cannot keep up. Everything else about terminals is tested on a real shell, in the stories.
import { EventEmitter } from 'node:events';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { expect, test } from '@jest/globals';
import type WebSocket from 'ws';
import type { ShellEvents } from '../../../platform/pods/pod-shell.ts';
import { LIMITS, Terminal } from './terminal.ts';

class Browser extends EventEmitter {
  readonly OPEN = 1;
  readonly readyState = 1;
  bufferedAmount = 0;
  isPaused = false;
  readonly taken: (() => void)[] = [];
  send(_: unknown, __?: unknown, taken?: () => void): void {
    if (taken) this.taken.push(taken);
  }
  pause(): void {}
  resume(): void {}
  ping(): void {}
  close(): void {}
  terminate(): void {}
  say(request: object): void {
    this.emit('message', Buffer.from(JSON.stringify(request)), false);
  }
}

async function opened() {
  const browser = new Browser();
  const seen = { isRead: true, shown: (_: Buffer): void => {} };
  const terminal = new Terminal({
    browser: browser as unknown as WebSocket,
    openShell: (_, events: ShellEvents) => {
      seen.shown = (bytes) => events.onData(bytes);
      return Promise.resolve({
        room: 1024,
        write() {},
        resize() {},
        alive() {},
        pause() {
          seen.isRead = false;
        },
        resume() {
          seen.isRead = true;
        },
        end() {},
        close() {},
      });
    },
    language: 'en',
    clock: new SteppedClock(),
    limits: LIMITS,
  });
  await Promise.resolve();
  return { browser, seen, terminal };
}

test('between pause and resume the shell is not read', async () => {
  const { browser, seen } = await opened();
  browser.say({ type: 'pause' });
  expect(seen.isRead).toBe(false);
  browser.say({ type: 'resume' });
  expect(seen.isRead).toBe(true);
});

test('a browser that has drawn all does not make a network that is behind be forgotten', async () => {
  const { browser, seen } = await opened();
  browser.bufferedAmount = 1024 * 1024;
  seen.shown(Buffer.from('much'));
  browser.say({ type: 'pause' });
  browser.say({ type: 'resume' });
  expect(seen.isRead).toBe(false);
  browser.bufferedAmount = 0;
  for (const taken of browser.taken) taken();
  expect(seen.isRead).toBe(true);
});

test('a network that has caught up does not read for a browser that has not', async () => {
  const { browser, seen } = await opened();
  browser.bufferedAmount = 1024 * 1024;
  seen.shown(Buffer.from('much'));
  browser.say({ type: 'pause' });
  browser.bufferedAmount = 0;
  for (const taken of browser.taken) taken();
  expect(seen.isRead).toBe(false);
});

test('a request that nobody knows ends the terminal', async () => {
  const { browser, terminal } = await opened();
  browser.say({ type: 'hold' });
  await expect(terminal.ended).resolves.toEqual({ end: 'misused' });
});
