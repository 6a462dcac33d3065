// Asks for the next page of a list near its end, and again when a page was too short to scroll.
import { type RefObject, useEffect, useRef } from 'react';
import type { LoadedList } from '../client/use-api.tsx';

/** How close to the end the next page is asked for, and how often at most. */
const WITHIN_PX = 50;
const EVERY_MS = 1000;

export function useMore(
  scroller: RefObject<HTMLElement | null>,
  { hasMore, isLoadingMore, more }: Pick<LoadedList<never>, 'hasMore' | 'isLoadingMore' | 'more'>,
): void {
  const askedAt = useRef(Number.NEGATIVE_INFINITY);
  const ask = useRef(more);
  useEffect(() => {
    ask.current = more;
  });
  useEffect(() => {
    const box = scroller.current;
    if (!box || !hasMore || isLoadingMore) return;
    let again: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(again);
      if (box.scrollHeight - box.scrollTop - box.clientHeight > WITHIN_PX) return;
      const wait = askedAt.current + EVERY_MS - performance.now();
      if (wait > 0) {
        // At the end of the list there are no more scroll events: nothing else would trigger it.
        again = setTimeout(look, wait);
        return;
      }
      askedAt.current = performance.now();
      ask.current();
    };
    look();
    box.addEventListener('scroll', look, { passive: true });
    return () => {
      clearTimeout(again);
      box.removeEventListener('scroll', look);
    };
  }, [scroller, hasMore, isLoadingMore]);
}
