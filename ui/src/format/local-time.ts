// A moment as a browser's field for local times has it: `2026-11-25T18:10`.

const MINUTE_MS = 60_000;

export function localTime(utc: string): string {
  const at = new Date(utc);
  return new Date(at.getTime() - at.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
}

/** Undefined while the field is not filled in. */
export function utcTime(local: string): string | undefined {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
