// Data that a page keeps for its own tab, so that they survive a reload.

/** If storage is full nothing is kept: this is a convenience, so nobody is notified. */
export function keepInTab(key: string, value: object): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Ignored, as above.
  }
}

/** Undefined if nothing is kept. */
export const keptInTab = <Value extends object>(key: string): Value | undefined =>
  JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? undefined;
