// Holds back reloads that would interrupt something: a running upload or download, an open terminal.
const LOCK = 'gantry-held';
const holders = new Set<symbol>();
const waiting = new Set<() => void>();
let releaseLock: (() => void) | undefined;
let isLeaving = false;

const ask = (event: BeforeUnloadEvent): void => {
  if (!isLeaving) event.preventDefault();
};

/** Until the returned function is called, no new version reloads the page, and the browser asks people who leave it. */
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
 * For a page whose session is gone: it leaves without asking, whatever holds it. Until then nothing on it can be pressed, because
 * it would act in the new session's name.
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
