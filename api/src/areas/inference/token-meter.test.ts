// When what a request cost is there to be read.
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { expect, test } from '@jest/globals';
import { TokenMeter } from './token-meter.ts';

test('a request waits for its own row alone, however many others come meanwhile', async () => {
  const held = { spend: () => undefined, posted: () => undefined };
  const add = (id: string) => writer.add({ id, list: 0n, net: 0n, at: new Date(0) } as never, held as never);
  let writes = 0;
  const transaction = async () => {
    writes++;
    if (writes < 50) add(`other-${writes}`);
  };
  const writer = new TokenMeter({
    ...{ db: { transaction }, clock: new SteppedClock(), charge: async () => undefined, written: () => undefined },
    log: { warn: () => undefined },
  } as never);
  add('a');
  await writer.whenWritten('a');
  expect(writes).toBe(1);
});
