// The name of what the page shows: a page sets it, the crumbs in the frame's head read it.
import { useEffect, useSyncExternalStore } from 'react';

let shown = '';
const readers = new Set<() => void>();

function show(title: string): void {
  shown = title;
  for (const read of readers) read();
}

function subscribe(read: () => void): () => void {
  readers.add(read);
  return () => readers.delete(read);
}

/** Empty where the page has none yet. */
export const usePageTitle = (): string => useSyncExternalStore(subscribe, () => shown);

/** For as long as the component is there. */
export function useSetPageTitle(title: string): void {
  useEffect(() => {
    show(title);
    return () => show('');
  }, [title]);
}
