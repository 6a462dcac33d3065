// The last hour of one part of an object: a ring of points for each of its series, all at the same steps.

export const STEP_MS = 15_000;
export const POINTS = 240;
/** A measurement that is older than this is not a present one. */
const MOST_AGE = 3;

/** Steps are counted from any beginning, and only ever upwards. */
export class Hour {
  readonly #series = new Map<string, Float32Array>();
  #newest = Number.NEGATIVE_INFINITY;

  /** Whether all its points are older. */
  isOver(step: number): boolean {
    return step - this.#newest >= POINTS;
  }

  /** Absent values are gaps. A step before the newest one is left out. */
  put(step: number, values: Iterable<readonly [name: string, value: number | undefined]>): void {
    if (step < this.#newest) return;
    this.#clear(step);
    for (const [name, value] of values) {
      if (value === undefined) continue;
      const known = this.#series.get(name);
      const points = known ?? new Float32Array(POINTS).fill(Number.NaN);
      if (!known) this.#series.set(name, points);
      points[step % POINTS] = value;
    }
  }

  /** Keeps these series and no others. */
  keep(names: ReadonlySet<string>): void {
    for (const name of this.#series.keys()) if (!names.has(name)) this.#series.delete(name);
  }

  /** Up to the step before `step`, or to that one if it is there already. Empty where there is nothing in the hour. */
  points(name: string, step: number): (number | null)[] {
    const points = this.#series.get(name);
    if (!points) return [];
    const last = this.lastStep(step);
    const all = Array.from({ length: POINTS }, (_, index) => {
      const at = last - POINTS + 1 + index;
      const value = at > this.#newest || at <= this.#newest - POINTS ? Number.NaN : points[at % POINTS];
      return value === undefined || Number.isNaN(value) ? null : value;
    });
    return all.some((value) => value !== null) ? all : [];
  }

  /** The step at which the points end. */
  lastStep(step: number): number {
    return Math.max(step - 1, Math.min(this.#newest, step));
  }

  now(name: string, step: number): number | null {
    const value = this.#newest >= step - MOST_AGE ? this.#series.get(name)?.[this.#newest % POINTS] : undefined;
    return value === undefined || Number.isNaN(value) ? null : value;
  }

  /** The steps that nobody has put since. */
  #clear(step: number): void {
    for (const points of this.#series.values()) {
      if (step - this.#newest >= POINTS) points.fill(Number.NaN);
      else for (let at = this.#newest + 1; at <= step; at++) points[at % POINTS] = Number.NaN;
    }
    this.#newest = step;
  }
}
