// Whether the gateway serves another version of the console than the one that runs here. A page is loaded anew once per version:
// where that brings the old one again, it stays.
export const CHECK_EVERY_MS = 30 * 60_000;

export interface VersionCheckParts {
  /** What was built in. */
  built: string;
  read(): Promise<string>;
  /** Milliseconds of a clock that never goes back. */
  now(): number;
  /** The version that was last acted on, kept over reloads. */
  seen: { get(): string | null; set(version: string): void };
  log(error: unknown): void;
}

export class VersionCheck {
  readonly #parts: VersionCheckParts;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: VersionCheckParts) {
    this.#parts = parts;
  }

  /** The other version, once; undefined where there is none, or where it is not yet time to look again. */
  async look(): Promise<string | undefined> {
    const { built, read, now, seen, log } = this.#parts;
    if (now() - this.#lookedAt < CHECK_EVERY_MS) return undefined;
    this.#lookedAt = now();
    try {
      const version = await read();
      if (version === built || version === seen.get()) return undefined;
      seen.set(version);
      return version;
    } catch (error) {
      log(error);
      return undefined;
    }
  }
}
