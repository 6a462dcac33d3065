// The place that somebody points at: one for all charts of a page over the same axis.
import { useSyncExternalStore } from 'react';

export interface Pointed {
  readonly place: number;
  /** The chart that the pointer or the keyboard is on. */
  readonly chart: string;
}

const pointed = new Map<string, Pointed>();
const listeners = new Set<() => void>();

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Undefined while nobody points at a chart of `together`. */
export const useCrosshair = (together: string): Pointed | undefined =>
  useSyncExternalStore(subscribe, () => pointed.get(together));

/** Without a place: the pointer has left. */
export function pointAt(together: string, chart: string, place?: number): void {
  if (place !== undefined) pointed.set(together, { place, chart });
  // Another chart has it by now.
  else if (pointed.get(together)?.chart === chart) pointed.delete(together);
  else return;
  for (const listener of listeners) listener();
}
