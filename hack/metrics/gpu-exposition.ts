// Answers of the stand-in for NVIDIA's DCGM exporter: Prometheus's text, with the counters that go on from one look to the next.
import { Counter, Gauge, Registry } from 'prom-client';
import { type Card, cardsOf, type Fault, type GpuNode, HELP, holdersOf, labelsOf, measure } from './gpu-cards.ts';

const LABELS = [
  'gpu',
  'UUID',
  'pci_bus_id',
  'device',
  'modelName',
  'GPU_I_PROFILE',
  'GPU_I_ID',
  'Hostname',
  'DCGM_FI_DRIVER_VERSION',
  'container',
  'namespace',
  'pod',
];
const XID = 'DCGM_FI_DEV_XID_ERRORS';
const XID_LABELS = ['err_code', 'err_msg'];

export class GpuExposition {
  #holders: ReadonlyMap<string, string> = new Map();
  #counted = new Map<string, number>();
  #lookedAt: number | undefined;

  /** Faults by a card's UUID. */
  async text(nodes: readonly GpuNode[], faults: Readonly<Record<string, Fault>>, now: number): Promise<string> {
    const cards = cardsOf(nodes, this.#holders);
    this.#holders = holdersOf(cards);
    const seconds = (now - (this.#lookedAt ?? now)) / 1_000;
    this.#lookedAt = now;
    const registry = new Registry();
    for (const card of cards) this.#add(registry, card, faults[card.uuid] ?? {}, now, seconds);
    return registry.metrics();
  }

  #add(registry: Registry, card: Card, fault: Fault, now: number, seconds: number): void {
    const { gauges, rates, counts } = measure(card, fault, now);
    const labels = labelsOf(card);
    for (const [name, value] of Object.entries(gauges)) {
      const isXid = name === XID;
      const gauge =
        (registry.getSingleMetric(name) as Gauge | undefined) ??
        new Gauge({
          name,
          help: HELP[name] ?? '',
          labelNames: [...LABELS, ...(isXid ? XID_LABELS : [])],
          registers: [registry],
        });
      gauge.set(isXid && value > 0 ? { ...labels, err_code: `${value}`, err_msg: 'Xid' } : labels, value);
    }
    for (const [name, value] of [
      ...Object.entries(counts),
      ...Object.entries(rates).map(
        ([name, rate]) => [name, this.#count(`${card.uuid}/${name}`, rate * seconds)] as const,
      ),
    ]) {
      const counter =
        (registry.getSingleMetric(name) as Counter | undefined) ??
        new Counter({ name, help: HELP[name] ?? '', labelNames: LABELS, registers: [registry] });
      counter.inc(labels, value);
    }
  }

  #count(key: string, more: number): number {
    const sum = (this.#counted.get(key) ?? 0) + more;
    this.#counted.set(key, sum);
    return sum;
  }
}
