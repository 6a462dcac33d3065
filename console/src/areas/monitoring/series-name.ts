// Series by what tells them apart.

type Labels = Readonly<Record<string, string>>;

/** As Prometheus writes it, `name{label="value"}`; empty for a series without labels. */
function seriesName({ __name__: name = '', ...labels }: Labels): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  return pairs.length === 0 ? name : `${name}{${pairs.join(', ')}}`;
}

/** The name of each, without the labels that all have alike. */
export function seriesNames(series: readonly { labels: Labels }[]): string[] {
  const [first] = series;
  const alike = Object.entries(first?.labels ?? {}).filter(([label, value]) =>
    series.every(({ labels }) => labels[label] === value),
  );
  const isOne = series.length === 1;
  return series.map(({ labels }, at) => {
    const shown = isOne
      ? labels
      : Object.fromEntries(Object.entries(labels).filter(([label]) => !alike.some(([one]) => one === label)));
    return seriesName(shown) || `${at + 1}`;
  });
}
