// What the workers of a task cost by the hour, as the meter rates them: one rule for every kind of task.

import { dividedRounded, type Micros, micros, ZERO } from '@gantry/contract/fields/money.ts';
import type { Task } from '@gantry/contract/fields/task.ts';
import { job } from '@gantry/contract/kinds/job.ts';
import { workerUses } from '@gantry/contract/kinds/task-rows.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Config } from '../../platform/config.ts';
import { ratePerHour } from '../billing/prices/rate.ts';
import type { Tariffs } from '../billing/prices/tariffs.ts';

interface PricedBy {
  config: Pick<Config, 'billing'>;
  clock: Pick<Clock, 'now'>;
  tariffs: Pick<Tariffs, 'of'>;
}

/** The price of so many workers by the hour; undefined where something of them has none. */
export type WorkerPrice = (
  organizationId: string,
  size: Pick<Task['spec'], 'gpu' | 'cores' | 'memoryGi' | 'host'>,
  workers?: number,
) => { perHour: Micros | undefined; currency: string };

export const workerPrice =
  ({ config, clock, tariffs }: PricedBy): WorkerPrice =>
  (organizationId, size, workers = 1) => {
    const tariff = tariffs.of(organizationId);
    const { currency } = tariff;
    // All tasks alike: `taskCost`.
    const { cost } = job;
    if (config.billing !== 'on' || !cost) return { perHour: ZERO, currency };
    const { net, unpriced } = ratePerHour(workerUses(size, workers), cost.source, tariff, clock.now());
    return { perHour: unpriced.length > 0 ? undefined : net, currency };
  };

const HOUR_S = 3600n;

/** Of so many seconds. */
export const costOfSeconds = (perHour: Micros | undefined, seconds: number): Micros | undefined =>
  perHour === undefined ? undefined : micros(dividedRounded(perHour * BigInt(seconds), HOUR_S));
