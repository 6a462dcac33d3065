// How much is kept of answers, whose length a tenant's query decides.
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { expect, test } from '@jest/globals';
import { Answers } from './answers.ts';

const MI = 1024 * 1024;
const KEEP_MS = 300_000;

/** Asks for an answer; true where it was kept. */
const opened = () => {
  const answers = new Answers(new SteppedClock());
  return async (key: string, answer: unknown) => {
    let isKept = true;
    await answers.of('org-a', key, KEEP_MS, async () => {
      isKept = false;
      return answer;
    });
    return isKept;
  };
};
const long = 'x'.repeat(8 * MI);

test('long answers that nobody has looked at for the longest make room for others', async () => {
  const ask = opened();
  for (const key of ['a', 'b', 'c']) await ask(key, { series: long });
  expect(await ask('a', { series: long })).toBe(true);
  await ask('d', { series: long });
  expect([await ask('a', 0), await ask('c', 0), await ask('d', 0), await ask('b', 0)]).toEqual([
    ...[true, true, true, false],
  ]);
});

test('the points of many series count, too', async () => {
  const ask = opened();
  const points = new Array(2 * MI).fill(1);
  await ask('a', { series: [{ labels: {}, points }] });
  expect(await ask('a', 0)).toBe(true);
  await ask('b', 0);
  await ask('c', { series: [{ labels: {}, points }] });
  expect(await ask('a', 0)).toBe(false);
});

test('short answers are kept beside each other, and one that is asked anew is counted once', async () => {
  const ask = opened();
  for (let n = 0; n < 400; n++) await ask(`${n}`, 'x'.repeat(1_000));
  expect(await ask('0', 0)).toBe(true);
  const again = new Answers(new SteppedClock());
  let asked = 0;
  for (let n = 0; n < 20; n++) await again.of('org-a', 'a', 0, async () => [long, asked++]);
  await again.of('org-a', 'b', KEEP_MS, async () => long);
  await again.of('org-a', 'b', KEEP_MS, async () => asked++);
  expect(asked).toBe(20);
});
