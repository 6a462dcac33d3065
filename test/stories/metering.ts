// The expected intervals of an instance, derived from the kubelet's data about its containers.
import { expect } from '@jest/globals';
import type { Instance, Seen } from './instance.ts';

/** One run's interval: from the first Ready to the container's end; `to` absent while it runs. */
export async function intervalOf(dev: Instance, run: number): Promise<object> {
  const from = (await dev.readyAt(run)) ?? '';
  const { startedAt = '', finishedAt } = dev.times(run);
  // Ready comes after the start, or the clocks that were compared are not the same.
  expect(Date.parse(from)).toBeGreaterThanOrEqual(Date.parse(startedAt));
  const subjectUID = dev.pod(run).metadata.uid;
  return expect.objectContaining({ subjectUID, from, ...(finishedAt !== undefined && { to: finishedAt }) }) as object;
}

/** Numbered without a gap, each closed before the next opens, none negative. */
export function expectInOrder({ status }: Seen): void {
  const intervals = status.intervals ?? [];
  const first = intervals[0]?.seq ?? 1;
  expect(intervals.map(({ seq }) => seq)).toEqual(intervals.map((_, index) => first + index));
  const moments = intervals
    .flatMap(({ from, to }) => [from, ...(to === undefined ? [] : [to])])
    .map((at) => Date.parse(at));
  expect(moments).toEqual([...moments].sort((a, b) => a - b));
  expect(intervals.slice(0, -1).filter(({ to }) => to === undefined)).toEqual([]);
}
