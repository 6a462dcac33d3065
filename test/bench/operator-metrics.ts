// An operator's /metrics, as numbers to subtract: its writes, its reads, its cost.

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Requests to the API server of one sort. */
export interface Requests {
  readonly verb: string;
  readonly kind: string;
  readonly subresource: string;
  readonly count: number;
}

/** One look. Times are seconds of CPU, sizes bytes. */
export class Metrics {
  readonly #samples: readonly Sample[];

  constructor(samples: readonly Sample[]) {
    this.#samples = samples;
  }

  static async read(url: string): Promise<Metrics> {
    const reply = await fetch(url, { signal: AbortSignal.timeout(10_000) });
    if (!reply.ok) throw new Error(`${url}: ${reply.status}`);
    return new Metrics(parseMetrics(await reply.text()));
  }

  /** The sum over all samples of that name whose labels fit. */
  sum(name: string, labels: Readonly<Record<string, string>> = {}): number {
    return this.#samples
      .filter((sample) => sample.name === name && Object.entries(labels).every(([k, v]) => sample.labels[k] === v))
      .reduce((total, { value }) => total + value, 0);
  }

  get cpuSeconds(): number {
    return this.sum('process_cpu_seconds_total');
  }

  get residentBytes(): number {
    return this.sum('process_resident_memory_bytes');
  }

  /** For one kind, or for all. */
  reconciles(kind?: string): number {
    return this.sum('gantry_reconcile_seconds_count', kind === undefined ? {} : { kind });
  }

  /** All requests to the API server since `before`, whatever the answer. */
  requestsSince(before: Metrics): readonly Requests[] {
    const counts = new Map<string, Requests>();
    for (const [sign, samples] of [
      [1, this.#samples],
      [-1, before.#samples],
    ] as const) {
      for (const { name, labels, value } of samples) {
        if (name !== 'gantry_api_requests_total') continue;
        const { verb = '', kind = '', subresource = '' } = labels;
        const key = `${kind}/${subresource} ${verb}`;
        counts.set(key, { verb, kind, subresource, count: (counts.get(key)?.count ?? 0) + sign * value });
      }
    }
    return [...counts]
      .filter(([, { count }]) => count !== 0)
      .sort(byKey)
      .map(([, requests]) => requests);
  }
}

const byKey = ([a]: [string, unknown], [b]: [string, unknown]) => a.localeCompare(b);

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** Prometheus' text format, as far as prom-client writes it. */
export function parseMetrics(text: string): readonly Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = LINE.exec(line) ?? [];
    if (name === undefined) return [];
    const pairs = [...labels.matchAll(LABEL)].map(([, key, inner]) => [key, inner]);
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });
}
