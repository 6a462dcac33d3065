// Time as an argument: tests step it by hand, and nothing else asks the machine.

/** Milliseconds since 1970, UTC. */
export type Instant = number;

export interface Clock {
  /** The wall clock, for what people and other programs read. */
  now(): Instant;
  /** Milliseconds that never step backwards, for measuring: leadership, latency, deadlines. */
  monotonic(): number;
  /** Runs once after this many milliseconds; returns a function that cancels it. */
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

/** An endless loop: works until the signal aborts, with a pause after each time. A rejection is told, and ends nothing. */
export async function repeatedly(
  { clock, ms, signal }: { clock: Clock; ms: number; signal: AbortSignal },
  work: () => Promise<unknown>,
  failed: (error: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    await work().catch(failed);
    await pause(clock, ms, signal);
  }
}

/** Resolves after this many milliseconds, or as soon as the signal aborts. For endless loops, never for a worker. */
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
