// How long to wait after failures in a row. Half of it is chance, so that what failed together does not return together.

export interface BackOff {
  firstMs: number;
  mostMs: number;
}

/** `failures` counts from 1. `chance` is a number from 0 to 1. The answer lies between half of the step and the step. */
export function backOffMs({ firstMs, mostMs }: BackOff, failures: number, chance: number): number {
  const step = Math.min(mostMs, firstMs * 2 ** Math.min(failures - 1, 30));
  return (step * (1 + chance)) / 2;
}
