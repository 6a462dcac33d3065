// What is worth minutes only in the long run: `make soak` sets GANTRY_SOAK=1.
import { test } from '@jest/globals';

export const isSoak = Boolean(process.env.GANTRY_SOAK);

/** A test of the long run alone. */
export function soakTest(name: string, run: () => Promise<void>): void {
  if (isSoak) test(name, run);
}
