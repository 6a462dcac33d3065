// The values of a policy's series over a long time, as few points as a chart has room for. Pure.
import type { AlertPolicySpec } from '@gantry/contract/kinds/alert-policy.ts';
import type { Series } from './group.ts';

export interface Drawn {
  object: string | null;
  labels: Readonly<Record<string, string>>;
  /** One for each part, oldest first; null where there is no data. */
  points: (number | null)[];
}

/** At most so many points of one series, and so many series. */
const MOST_POINTS = 672;
const MOST_SERIES = 20;

/** Cycles become parts, each with the value in it that is nearest to an alarm. */
export class PastChart {
  /** How many cycles are one part. */
  readonly cyclesInPart: number;
  readonly #parts: number;
  readonly #pick: (one: number, other: number) => number;
  readonly #series = new Map<string, Drawn>();
  readonly #fired = new Set<string>();

  constructor({ rules }: Pick<AlertPolicySpec, 'rules'>, cycles: number) {
    this.cyclesInPart = Math.max(1, Math.ceil(cycles / MOST_POINTS));
    this.#parts = Math.ceil(cycles / this.cyclesInPart);
    const isLow = rules.length > 0 && rules.every(({ compare }) => compare === 'Below' || compare === 'AtMost');
    this.#pick = isLow ? Math.min : Math.max;
  }

  add(cycle: number, { key, object, labels, value }: Series): void {
    const known = this.#series.get(key) ?? {
      ...{ object: object ?? null, labels },
      points: Array<number | null>(this.#parts).fill(null),
    };
    this.#series.set(key, known);
    const part = Math.floor(cycle / this.cyclesInPart);
    const was = known.points[part];
    known.points[part] = was === null || was === undefined ? value : this.#pick(was, value);
  }

  fired(key: string): void {
    this.#fired.add(key);
  }

  /** Those with alarms first. */
  drawn(): Drawn[] {
    const all = [...this.#series];
    const rank = ([key]: [string, Drawn]) => (this.#fired.has(key) ? 0 : 1);
    return all
      .sort((one, other) => rank(one) - rank(other))
      .slice(0, MOST_SERIES)
      .map(([, series]) => series);
  }
}
