// How a process ends: at a signal with exit code 0, and with 1 after an error that nobody caught. Nobody knows what state such an
// error leaves behind, so whatever is under way gets a moment to finish, and whoever supervises the process starts it anew.

interface EndingLog {
  fatal(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** After an error, stopping may hang for the very reason of the error. */
const FAULT_WITHIN_MS = 20_000;

export interface Ending {
  /** Begins as soon as the process is to end: from then on it is not ready. */
  readonly hasBegun: boolean;
  /** Before this, an error ends the process at once, and a signal does what it always does. */
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
    stopWith(given) {
      stop = given;
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void end());
    },
  };
}
