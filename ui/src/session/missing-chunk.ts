// A page's script that is missing because the gateway serves another build: reloads the app, once, if the gateway is reachable.
import { onceReloadIsFree } from './hold-reload.ts';

const KEY = 'gantry_chunk_reloaded_at';
/** After a recent reload the page already has the newest build: another one would loop. */
const ONCE_IN_MS = 60_000;

interface MissingChunkParts {
  seen: Pick<Storage, 'getItem' | 'setItem'>;
  now(): number;
  /** Without it the page would be lost, and no script be found either. */
  isServed(): Promise<boolean>;
  reload(): void;
}

export async function reloadForChunk({ seen, now, isServed, reload }: MissingChunkParts): Promise<void> {
  if (now() - Number(seen.getItem(KEY) ?? Number.NEGATIVE_INFINITY) < ONCE_IN_MS) return;
  if (!(await isServed())) return;
  onceReloadIsFree(() => {
    seen.setItem(KEY, `${now()}`);
    reload();
  });
}

export function watchForMissingChunks(): void {
  const parts: MissingChunkParts = {
    seen: sessionStorage,
    now: Date.now,
    isServed: () =>
      fetch('/version.json', { cache: 'no-store' }).then(
        ({ ok }) => ok,
        () => false,
      ),
    reload: () => location.reload(),
  };
  addEventListener('vite:preloadError', () => void reloadForChunk(parts));
}
