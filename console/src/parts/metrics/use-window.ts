// Over what time a page's charts look: one of the ranges on offer that ends now, or a part that was chosen in a chart. In the address.
import { isTimeRange, lengthMs, spanOf, stepSeconds, type TimeRange } from '@gantry/ui/format/time-range.ts';
import { useSearchParams } from 'react-router';
import { useNow } from '../use-now.ts';

const USUAL: TimeRange = 'h1';
const LEAST_MS = 5 * 60_000;
const TICK_MS = 15_000;
/** The shifts by which a chart may be compared, in seconds. */
export const SHIFTS = { none: 0, hour: 3_600, day: 86_400, week: 604_800 } as const;
export type Shift = keyof typeof SHIFTS;
const isShift = (text: string): text is Shift => Object.hasOwn(SHIFTS, text);

export interface Window {
  range: TimeRange;
  isZoomed: boolean;
  shift: Shift;
  /** For a call. Within one step they stay the same. */
  asked: { start: string; end: string; timeShift?: number };
  set(change: { range?: TimeRange; shift?: Shift }): void;
  zoom(startMs: number, endMs: number): void;
}

export function useWindow(): Window {
  const [params, setParams] = useSearchParams();
  const text = (name: string) => params.get(name) ?? '';
  const range = isTimeRange(text('range')) ? (text('range') as TimeRange) : USUAL;
  const shift = isShift(text('shift')) ? (text('shift') as Shift) : 'none';
  const [from, to] = [Number(text('from')), Number(text('to'))];
  const isZoomed = from > 0 && to > from;
  const now = useNow(TICK_MS, !isZoomed);
  const span = isZoomed ? { from: new Date(from), to: new Date(to) } : spanOf(range, new Date(now));
  const stepMs = stepSeconds(lengthMs(span)) * 1_000;
  const at = (time: Date) => new Date(Math.floor(time.getTime() / stepMs) * stepMs).toISOString();
  const change = (values: Readonly<Record<string, string | undefined>>) =>
    setParams(
      (former) => {
        const next = new URLSearchParams(former);
        for (const [name, value] of Object.entries(values)) {
          if (value === undefined) next.delete(name);
          else next.set(name, value);
        }
        return next;
      },
      { replace: true },
    );
  return {
    range,
    isZoomed,
    shift,
    asked: { start: at(span.from), end: at(span.to), ...(shift !== 'none' && { timeShift: SHIFTS[shift] }) },
    set: (wish) => change({ ...wish, ...(wish.range && { from: undefined, to: undefined }) }),
    zoom(startMs, endMs) {
      const middle = (startMs + endMs) / 2;
      const half = Math.max(LEAST_MS, endMs - startMs) / 2;
      change({ from: `${Math.round(middle - half)}`, to: `${Math.round(middle + half)}` });
    },
  };
}
