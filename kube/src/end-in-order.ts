// How a process ends: with exit code 0 on a signal, and with 1 after an uncaught error. Such an error leaves an unknown state
// behind, so running work gets a moment to finish, and the supervisor restarts the process.

interface EndingLog {
  fatal(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** After an error, stopping may hang because of that error. */
const FAULT_WITHIN_MS = 20_000;

export interface Ending {
  /** True as soon as the process is about to end: from then on it is not ready. */
  readonly hasBegun: boolean;
  /** Until this is called, an error ends the process at once, and signals have their default effect. */
  stopWith(stop: () => Promise<void>): void;
}

export function endInOrder(log: EndingLog): Ending {
  let stop: (() => Promise<void>) | undefined;
  let hasBegun = false;
  let exitCode = 0;

  const end = async (): Promise<void> => {
    if (hasBegun) return;
    hasBegun = true;
    try {
      await stop?.();
    } catch (error) {
      exitCode = 1;
      log.error({ err: error }, 'the process did not stop in order');
    }
    process.exit(exitCode);
  };
  const fault = (error: unknown): void => {
    log.fatal({ err: error }, 'an error that nobody caught: the process ends');
    if (exitCode === 0) setTimeout(() => process.exit(1), FAULT_WITHIN_MS);
    exitCode = 1;
    void end();
  };
  process.on('uncaughtException', fault);
  process.on('unhandledRejection', fault);

  return {
    get hasBegun() {
      return hasBegun;
    },
    stopWith(handler) {
      stop = handler;
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void end());
    },
  };
}
