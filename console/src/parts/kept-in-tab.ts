// What a page keeps for its own tab, so that it is there when the page is loaded anew.

/** Where there is no room for more nothing is kept: what is kept is a comfort, so nobody is told. */
export function keepInTab(key: string, value: object): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // As said above.
  }
}

/** Undefined where nothing is kept. */
export const keptInTab = <Value extends object>(key: string): Value | undefined =>
  JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? undefined;
