import { expect, test } from '@jest/globals';
import { SLOW_MS, WriteLimit } from './write-limit.ts';

const MINUTE = 60_000;
const write = (limit: WriteLimit, times: number, now = 0, object = 'Widget a') => {
  for (let at = 0; at < times; at++) limit.note('x/a', object, now);
};

test('a hundred and twenty writes to one object in a minute are nobody’s concern, one more slows it down', () => {
  const limit = new WriteLimit();
  write(limit, 120);
  expect([limit.pauseMs('x/a', 0), limit.slowed]).toEqual([0, 0]);
  write(limit, 1);
  expect([limit.pauseMs('x/a', 0), limit.isSlow('x/a'), limit.slowed]).toEqual([SLOW_MS, true, 1]);
  expect(limit.pauseMs('x/a', SLOW_MS)).toBe(0);
  expect(limit.pauseMs('x/b', 0)).toBe(0);
});

test('many children that are written a few times each are no flood', () => {
  const limit = new WriteLimit();
  for (let child = 0; child < 200; child++) write(limit, 3, 0, `Lease node-${child}`);
  expect(limit.slowed).toBe(0);
});

test('writes spread over more than a minute are no loop either', () => {
  const limit = new WriteLimit();
  write(limit, 100);
  write(limit, 100, MINUTE);
  expect(limit.slowed).toBe(0);
});

test('slowed down, each write asks for its own pause, until a minute was quiet', () => {
  const limit = new WriteLimit();
  write(limit, 121);
  for (let at = SLOW_MS; at <= 2 * MINUTE; at += SLOW_MS) {
    write(limit, 1, at);
    expect(limit.pauseMs('x/a', at)).toBe(SLOW_MS);
  }
  expect(limit.pauseMs('x/a', 4 * MINUTE)).toBe(0);
  expect(limit.slowed).toBe(0);
});
