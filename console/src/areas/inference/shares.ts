// The share of the requests that each deployment of an alias gets. Pure.

export interface Share {
  deployment: string;
  /** Rounded, and at least 1 for one that gets any. 0: only where no other one answers. */
  percent: number;
}

/** In the order in which they are asked. Without any weight the first one is asked before the others. */
export function sharesOf(targets: readonly { deployment: string; weight: number }[]): Share[] {
  const sum = targets.reduce((all, { weight }) => all + weight, 0);
  const percentOf = (weight: number, at: number) =>
    sum === 0 ? (at === 0 ? 100 : 0) : weight === 0 ? 0 : Math.max(1, Math.round((100 * weight) / sum));
  return targets
    .map(({ deployment, weight }, at) => ({ deployment, percent: percentOf(weight, at) }))
    .sort((a, b) => b.percent - a.percent);
}
