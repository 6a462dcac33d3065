// What is there is followed, each by itself, until it is gone: whoever fails is begun again at the next look.
import { type Clock, pause } from '@gantry/kube/clock.ts';

const LOOK_MS = 1_000;

/** Until the signal. `look` finds what is there, by keys that tell one start from the next. */
export async function followEach<One>(
  clock: Clock,
  {
    look,
    follow,
    failed,
  }: {
    look(): Promise<ReadonlyMap<string, One>>;
    follow(one: One, signal: AbortSignal): Promise<void>;
    failed(one: One, error: unknown): void;
  },
  signal: AbortSignal,
): Promise<void> {
  const followed = new Map<string, { end: AbortController; ended: Promise<void> }>();
  while (!signal.aborted) {
    const there = await look();
    for (const [key, { end }] of followed) if (!there.has(key)) end.abort();
    for (const [key, one] of there) {
      if (followed.has(key)) continue;
      const end = new AbortController();
      const ended = follow(one, AbortSignal.any([signal, end.signal]))
        .catch((error: unknown) => failed(one, error))
        .finally(() => followed.delete(key));
      followed.set(key, { end, ended });
    }
    await pause(clock, LOOK_MS, signal);
  }
  await Promise.allSettled([...followed.values()].map(({ ended }) => ended));
}
