// What a reload would break holds it up: an upload or a download on its way, an open terminal.
const LOCK = 'gantry-held';
const holders = new Set<symbol>();
const waiting = new Set<() => void>();
let releaseLock: (() => void) | undefined;
let isLeaving = false;

const ask = (event: BeforeUnloadEvent): void => {
  if (!isLeaving) event.preventDefault();
};

/** Until what it gives is called, no new version reloads the page by itself, and the browser asks whoever leaves it. */
export function holdReload(): () => void {
  const holder = Symbol();
  if (holders.size === 0) {
    addEventListener('beforeunload', ask);
    releaseLock = heldLock();
  }
  holders.add(holder);
  return () => {
    if (!holders.delete(holder) || holders.size > 0) return;
    removeEventListener('beforeunload', ask);
    releaseLock?.();
    const free = [...waiting];
    waiting.clear();
    for (const go of free) go();
  };
}

/** Calls `go` at once, or when the last holder has let go. Gives what calls it off. */
export function onceReloadIsFree(go: () => void): () => void {
  if (holders.size === 0) {
    go();
    return () => {};
  }
  waiting.add(go);
  return () => void waiting.delete(go);
}

/** In any tab of this browser. */
export async function isReloadHeld(): Promise<boolean> {
  if (holders.size > 0) return true;
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return held.some(({ name }) => name === LOCK);
}

/**
 * For a page that belongs to a session that is no more: whatever holds it, it goes, and nobody is asked. Until then nothing on it
 * can be pressed, since it would be done in the new session's name.
 */
export function leaveAtOnce(go: () => void): void {
  isLeaving = true;
  document.documentElement.inert = true;
  go();
}

function heldLock(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  void navigator.locks?.request(LOCK, { mode: 'shared' }, () => promise);
  return resolve;
}
