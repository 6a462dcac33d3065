// What the points of a chart are at: times, steps or names, in order.
import { timeText } from '../format/time.ts';
import { axisText, axisTicks, axisUnit } from '../format/time-range.ts';
import { valueAxis } from './value-axis.ts';

export interface Places {
  /** The word for it. */
  readonly label: string;
  /** Of each point, ascending; milliseconds of a time. */
  readonly values: readonly number[];
  /** Charts over the same axis share their crosshair. */
  readonly together: string;
  /** In full. */
  readonly textOf: (place: number) => string;
  /** Below the axis, as many as there is room for. */
  readonly ticks: (most: number) => readonly { readonly place: number; readonly text: string }[];
}

export function timePlaces(startMs: number, stepMs: number, count: number, label: string): Places {
  const values = Array.from({ length: count }, (_, at) => startMs + at * stepMs);
  const span = { from: new Date(startMs), to: new Date(values.at(-1) ?? startMs) };
  const unit = axisUnit(span.to.getTime() - startMs);
  return {
    label,
    values,
    together: 'time',
    textOf: timeText,
    ticks: (most) => axisTicks(span, most).map((place) => ({ place, text: axisText(place, unit) })),
  };
}

/** Steps of a training, or whatever else is counted. */
export function stepPlaces(values: readonly number[], label: string, textOf: (place: number) => string): Places {
  const [first = 0, last = 0] = [values[0], values.at(-1)];
  return {
    label,
    values,
    together: 'steps',
    textOf,
    ticks: (most) =>
      valueAxis('count', [first, last], Math.max(1, most - 1))
        .ticks.filter((place) => place >= first && place <= last)
        .map((place) => ({ place, text: textOf(place) })),
  };
}

/** Names that have no distances. `labels`: those that have one below the axis, and its text; absent: all, as they are. */
export function namedPlaces(
  names: readonly string[],
  label: string,
  labels?: { readonly labelled: readonly string[]; readonly textOf: (name: string) => string },
): Places {
  const labelled = labels?.labelled ?? names;
  return {
    label,
    values: names.map((_, at) => at),
    together: label,
    textOf: (place) => names[place] ?? '',
    ticks: (most) =>
      evenly(labelled, most).map((name) => ({ place: names.indexOf(name), text: labels?.textOf(name) ?? name })),
  };
}

/** As many labels as fit, at even distances, the last one among them: where each finds its own room, some vanish. */
export function evenly(labelled: readonly string[], most: number): string[] {
  const step = Math.ceil(labelled.length / Math.max(1, most));
  return labelled.filter((_, at) => (labelled.length - 1 - at) % step === 0);
}
