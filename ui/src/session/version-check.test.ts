import { beforeEach, expect, test } from '@jest/globals';
import { CHECK_EVERY_MS, VersionCheck } from './version-check.ts';

let now = 0;
let served: string | Error = '1.1.5';
let seen: string | null = null;
let reads = 0;
const logged: unknown[] = [];

const check = () =>
  new VersionCheck({
    built: '1.1.5',
    read: async () => {
      reads++;
      if (served instanceof Error) throw served;
      return served;
    },
    now: () => now,
    seen: {
      get: () => seen,
      set: (version) => {
        seen = version;
      },
    },
    log: (error) => logged.push(error),
  });

beforeEach(() => {
  now = 0;
  served = '1.1.5';
  seen = null;
  reads = 0;
  logged.length = 0;
});

test('the own version is no news', async () => {
  expect(await check().look()).toBeUndefined();
});

test('another version is told once, also after the page was loaded anew', async () => {
  served = '1.2.0';
  expect(await check().look()).toBe('1.2.0');
  expect(await check().look()).toBeUndefined();
  served = '1.2.1';
  expect(await check().look()).toBe('1.2.1');
});

test('it looks every thirty minutes at most', async () => {
  const one = check();
  await one.look();
  served = '1.2.0';
  now = CHECK_EVERY_MS - 1;
  expect(await one.look()).toBeUndefined();
  expect(reads).toBe(1);
  now = CHECK_EVERY_MS;
  expect(await one.look()).toBe('1.2.0');
});

test('a version that cannot be read is logged, and nothing else', async () => {
  served = new Error('no network');
  expect(await check().look()).toBeUndefined();
  expect(logged).toEqual([served]);
});
