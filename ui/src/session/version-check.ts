// Whether the gateway serves another version of an app than this one. A page is reloaded once per version: if that brings
// the old one again, it stays.
export const CHECK_EVERY_MS = 30 * 60_000;

export interface VersionCheckParts {
  /** The built-in version. */
  built: string;
  read(): Promise<string>;
  /** Milliseconds of a clock that never goes back. */
  now(): number;
  /** The version of the last reload, kept over reloads. */
  seen: { get(): string | null; set(version: string): void };
  log(error: unknown): void;
}

export class VersionCheck {
  readonly #parts: VersionCheckParts;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: VersionCheckParts) {
    this.#parts = parts;
  }

  /** The other version, once; undefined if there is none, or if it is not yet time to look again. */
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

const KEY = 'gantry_version_seen';

/** The check of a page that was built as this version; `/version.json` says what is served now. */
export const newVersionCheck = (built: string): VersionCheck =>
  new VersionCheck({
    built,
    read: readVersion,
    now: () => performance.now(),
    seen: { get: () => sessionStorage.getItem(KEY), set: (version) => sessionStorage.setItem(KEY, version) },
    log: (error) => console.warn('the version could not be read', error),
  });

async function readVersion(): Promise<string> {
  const response = await fetch('/version.json', { cache: 'no-store' });
  const { version } = (await response.json()) as { version?: unknown };
  if (typeof version !== 'string') throw new Error('version.json has no version');
  return version;
}
