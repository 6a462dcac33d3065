// The time, for what is shown while it passes.
import { useEffect, useState } from 'react';

/** In milliseconds since the epoch, again each so often; standing still where nothing passes. */
export function useNow(everyMs: number, isPassing = true): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isPassing) return;
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, isPassing]);
  return now;
}
