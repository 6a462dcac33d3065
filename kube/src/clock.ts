// Time as an argument: tests step it by hand, and nothing else asks the machine.

/** Milliseconds since 1970, UTC. */
export type Instant = number;

export interface Clock {
  /** The wall clock, for what people and other programs read. */
  now(): Instant;
  /** Milliseconds that never step backwards, for measuring: leadership, latency, deadlines. */
  monotonic(): number;
  /** Runs once after so many milliseconds; gives the way to call it off. */
  after(ms: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** Resolves after so many milliseconds, or as soon as the signal says stop. For loops that run for ever, never for a worker. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.after(ms, done);
    signal.addEventListener('abort', done);
  });
}
