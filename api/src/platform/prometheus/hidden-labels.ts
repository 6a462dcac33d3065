// Labels that reveal the platform's own servers, which are no tenant's business: addresses of exporters, and paths of cgroups.

export const HIDDEN_LABELS: ReadonlySet<string> = new Set([
  'instance',
  'job',
  'endpoint',
  'id',
  'metrics_path',
  'prometheus',
]);

/** Labels as tenants may see them. */
export const visible = (labels: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(labels).filter(([name]) => !HIDDEN_LABELS.has(name)));

const PAIR = new RegExp(`\\b(?:${[...HIDDEN_LABELS].join('|')})="(?:[^"\\\\]|\\\\.)*"(?:, ?)?`, 'g');
/** A sentence of Prometheus's, which may name series with all their labels. */
export const withoutHiddenPairs = (text: string): string => text.replace(PAIR, '');
