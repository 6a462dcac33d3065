// The gateway's metrics. Labels are routes' ids and status classes, never anybody's ids, except of those that say whose a Pod is.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export class Metrics {
  readonly registry = new Registry();
  readonly #durations: Histogram<'route' | 'status'>;
  #inFlight = 0;

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    this.#durations = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'From the request being read to its answer being handed to the network, by route and class of status.',
      labelNames: ['route', 'status'],
      buckets: SECONDS,
      registers: [this.registry],
    });
    this.gauge('http_requests_in_flight', 'Calls that are being answered.', () => this.#inFlight);
  }

  /** A number that is asked for when the metrics are. */
  gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }

  /** Facts with value 1, asked for when the metrics are. Like `numbers` and `times`, with names of tenants' objects. */
  labelled(
    name: string,
    help: string,
    labelNames: readonly string[],
    read: () => readonly Readonly<Record<string, string>>[],
  ): void {
    this.numbers(name, help, labelNames, () => read().map((labels) => ({ labels, value: 1 })));
  }

  /** A number of each object, asked for when the metrics are. */
  numbers(
    name: string,
    help: string,
    labelNames: readonly string[],
    read: () => readonly { labels: Readonly<Record<string, string>>; value: number }[],
  ): void {
    new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const { labels, value } of read()) this.set(labels, value);
      },
    });
  }

  /** Times of what is asked of each object, which are forgotten with it. */
  times(name: string, help: string, labelNames: readonly string[], buckets: readonly number[]) {
    const histogram = new Histogram({
      ...{ name, help, labelNames: [...labelNames], buckets: [...buckets] },
      registers: [this.registry],
    });
    return {
      observe: (labels: Readonly<Record<string, string>>, seconds: number) => histogram.observe(labels, seconds),
      forget: (labels: Readonly<Record<string, string>>) => histogram.remove(labels),
    };
  }

  /** Counted up, of all of them alike. */
  counter(name: string, help: string): { inc(): void } {
    return new Counter({ name, help, registers: [this.registry] });
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  begin(): void {
    this.#inFlight++;
  }

  end(route: string, status: number, seconds: number): void {
    this.#inFlight--;
    this.#durations.observe({ route, status: STATUS_CLASSES[Math.floor(status / 100)] ?? 'other' }, seconds);
  }
}

const STATUS_CLASSES = ['', '1xx', '2xx', '3xx', '4xx', '5xx'];
