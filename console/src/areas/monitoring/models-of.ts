// The use and cost of an organisation's GPUs, by model. Pure.
import type { MonitorHomeView } from '@gantry/contract/areas/monitoring/monitor.ts';

export type Card = MonitorHomeView['cards'][number];

export interface ModelUse {
  model: string;
  cards: number;
  /** Cards that do nothing; those without data are not among them. */
  idle: number;
  /** Percent, the mean of the cards with data; null: none has any. */
  utilization: number | null;
  /** The price of all its cards by the hour, and of the idle ones; null if no price is known. */
  perHour: number | null;
  idlePerHour: number | null;
  /** In the whole cloud; null where nobody can rent the model now. */
  stock: { free: number; total: number } | null;
}

/** The facts of a model besides the use of its cards. */
export interface ModelFacts {
  /** The price of one card by the hour. */
  price?: number | undefined;
  free: number;
  total: number;
}

/** Below, a card does nothing: a program that waits at a prompt. */
const IDLE_PERCENT = 5;
/** The exporter writes spaces where labels of nodes cannot have any. */
const labelled = (model: string): string => model.replaceAll(' ', '-');

/** `factsOf`: by the model as instances ask for it. */
export function modelsOf(cards: readonly Card[], factsOf: (gpuType: string) => ModelFacts | undefined): ModelUse[] {
  const models = Map.groupBy(cards, ({ model }) => model);
  return [...models].map(([model, all]) => {
    const known = all.flatMap(({ utilization }) => (utilization === null ? [] : [utilization]));
    const idle = known.filter((percent) => percent < IDLE_PERCENT).length;
    const { price, ...stock } = factsOf(labelled(model)) ?? {};
    return {
      model,
      cards: all.length,
      idle,
      utilization: known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0) / known.length,
      perHour: price === undefined ? null : price * all.length,
      idlePerHour: price === undefined ? null : price * idle,
      stock: 'total' in stock ? stock : null,
    };
  });
}
