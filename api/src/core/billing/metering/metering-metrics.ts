// Metering's own metrics. Labels are reasons, never anybody's ids.
import { Counter, Gauge, type Registry } from 'prom-client';
import { ANOMALIES, type Anomaly } from './intake.ts';

export class MeteringMetrics {
  readonly #intervals: Counter<'what'>;
  readonly #slices: Counter;
  readonly #anomalies: Counter<'reason'>;
  readonly #failures: Counter;
  readonly #waiting: Gauge;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#intervals = new Counter({
      name: 'gantry_metering_intervals_total',
      help: 'Intervals that were taken in as new, and as ended.',
      labelNames: ['what'],
      registers,
    });
    this.#slices = new Counter({
      name: 'gantry_metering_slices_total',
      help: 'Slices of use that were posted or given back.',
      registers,
    });
    this.#anomalies = new Counter({
      name: 'gantry_metering_anomalies_total',
      help: 'Reported intervals that cannot be true, each counted once by its reason.',
      labelNames: ['reason'],
      registers,
    });
    // Missing series read as zero, so that an alert notices the first event.
    for (const reason of Object.keys(ANOMALIES)) this.#anomalies.inc({ reason }, 0);
    this.#failures = new Counter({
      name: 'gantry_metering_failures_total',
      help: 'Settlements of an organisation that failed and are tried again.',
      registers,
    });
    this.#waiting = new Gauge({
      name: 'gantry_metering_unpriced_intervals',
      help: 'Intervals whose use has no price: they are not posted, and wait for one.',
      registers,
    });
  }

  recorded(added: number, closed: number): void {
    this.#intervals.inc({ what: 'added' }, added);
    this.#intervals.inc({ what: 'closed' }, closed);
  }

  posted(slices: number): void {
    this.#slices.inc(slices);
  }

  anomaly(reason: Anomaly): void {
    this.#anomalies.inc({ reason });
  }

  failed(): void {
    this.#failures.inc();
  }

  waits(intervals: number): void {
    this.#waiting.set(intervals);
  }
}
