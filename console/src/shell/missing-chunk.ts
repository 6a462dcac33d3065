// A page's script that is gone since the gateway serves another build: the console is loaded anew, once, where the gateway is there.
import { onceReloadIsFree } from '../parts/hold-reload.ts';

const KEY = 'gantry_chunk_reloaded_at';
/** Whoever has just been loaded anew has the newest there is: once more would go round in a circle. */
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
