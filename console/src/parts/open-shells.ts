// Whether a terminal is open in any tab of this browser. A shell belongs to the session that opened it and ends with it, so that a
// tab that starts beside one must not take that session's place.
const LOCK = 'gantry-shell';

/** Until the returned function is called, other tabs know of it. */
export function holdShell(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  void navigator.locks?.request(LOCK, { mode: 'shared' }, () => promise);
  return resolve;
}

export async function hasOpenShell(): Promise<boolean> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return held.some(({ name }) => name === LOCK);
}
