import { beforeEach, expect, test } from '@jest/globals';
import { holdReload } from './hold-reload.ts';
import { reloadForChunk } from './missing-chunk.ts';

let kept: Map<string, string>;
let now: number;
let isServed: boolean;
let reloads: number;

beforeEach(() => {
  kept = new Map();
  now = 1_000_000;
  isServed = true;
  reloads = 0;
});

const miss = () =>
  reloadForChunk({
    seen: { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) },
    now: () => now,
    isServed: async () => isServed,
    reload: () => reloads++,
  });

test('a script that is gone loads the console anew, and not in a circle', async () => {
  await miss();
  await miss();
  expect(reloads).toBe(1);
  now += 60_000;
  await miss();
  expect(reloads).toBe(2);
});

test('where nobody serves the console the page stays', async () => {
  isServed = false;
  await miss();
  expect(reloads).toBe(0);
});

test('requests in flight are waited for', async () => {
  const letGo = holdReload();
  await miss();
  expect(reloads).toBe(0);
  letGo();
  expect(reloads).toBe(1);
});
