// How an organisation stands, for the operators' console: its money and plan from billing, and what it holds from the caches.

import type { OrganizationSummaryView } from '@gantry/contract/areas/identity/admin-people.ts';
import { QUOTA_NAMES } from '@gantry/contract/areas/identity/admin-people.ts';
import { ADMIN_KINDS } from '@gantry/contract/areas/kinds/admin-computing.ts';
import type { CommonStatus, KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import type { Interval } from '@gantry/contract/fields/metering.ts';
import { type Organization, organization } from '@gantry/contract/kinds/organization.ts';
import { organizationNamespace } from '@gantry/contract/names.ts';
import { eq } from 'drizzle-orm';
import { usedBytes } from '../../core/files/quota.ts';
import type { Core } from '../../core/open.ts';
import type { Database } from '../../platform/db/open.ts';
import { billingProfiles } from '../../platform/db/schema/payments.ts';
import type { Platform } from '../../platform/open.ts';

/** By the resource of the operators' console that lists them. */
const SHOWN: readonly (readonly [resource: string, facts: KindFacts])[] = Object.entries<KindFacts>(ADMIN_KINDS);
const GIB = 2 ** 30;

type Seen = KubeObject & {
  spec?: {
    sizeGi?: number;
    homeDisk?: { sizeGi?: number };
  };
  status?: CommonStatus & { intervals?: readonly Interval[]; totalBytes?: number };
};

export class OrganizationSummary {
  readonly #db: Database;
  readonly #core: Pick<Core, 'cluster' | 'billing'>;

  constructor({ db }: Pick<Platform, 'db'>, core: Pick<Core, 'cluster' | 'billing'>) {
    this.#db = db;
    this.#core = core;
  }

  async of(id: string): Promise<OrganizationSummaryView> {
    const { billing, cluster } = this.#core;
    const { cache } = cluster;
    const money = await billing.gate.checks.walletOf(id);
    const [profile] = await this.#db.sql
      .select({ since: billingProfiles.outOfCreditSince })
      .from(billingProfiles)
      .where(eq(billingProfiles.organizationId, id));
    const namespace = organizationNamespace(id);
    const all = new Map(
      SHOWN.map(([resource, facts]) => [
        resource,
        cache.list<Seen>(facts).filter(({ metadata }) => metadata.namespace === namespace),
      ]),
    );
    const allowed = cache.get<Organization>(organization, undefined, id)?.spec?.quota;
    const used = usedOf(all, await usedBytes(this.#db.sql, id));
    return {
      id,
      plan: (await billing.prices.plans.ofMany([id])).get(id)?.plan ?? 'free',
      currency: money.currency,
      balance: money.balance,
      available: money.available,
      held: money.held,
      debt: money.debt,
      accrued: money.accrued,
      per_hour: money.per_hour,
      hours_left: money.hours_left,
      in_credit: money.in_credit,
      reason: money.reason,
      out_of_credit_since: profile?.since?.toISOString() ?? null,
      quota: QUOTA_NAMES.map((name) => ({ name, used: used[name], allowed: allowed?.[name] ?? null })),
      objects: SHOWN.map(([resource, facts]) => {
        const objects = all.get(resource) ?? [];
        const phases: Record<string, number> = {};
        for (const object of objects) {
          // One from before its schema may have no spec.
          const phase = facts.phaseInView(object.spec ? object : { ...object, spec: {} });
          phases[phase] = (phases[phase] ?? 0) + 1;
        }
        return { kind: facts.kind, resource, total: objects.length, phases };
      }),
    };
  }
}

/** Cards, cores and memory count while they are metered, as the cluster's own quota counts the Pods that have them. */
function usedOf(
  all: ReadonlyMap<string, readonly Seen[]>,
  modelBytes: number,
): Record<(typeof QUOTA_NAMES)[number], number> {
  const [instances, disks, hosts, snapshots] = (['instances', 'disks', 'hosts', 'snapshots'] as const).map(
    (name) => all.get(name) ?? [],
  ) as [Seen[], Seen[], Seen[], Seen[]];
  const metered = (resource: string) =>
    round(
      sum(
        instances.flatMap(({ status }) =>
          (status?.intervals ?? [])
            .filter(({ to }) => to === undefined)
            .flatMap(({ uses }) => uses.filter((use) => use.resource === resource).map(({ quantity }) => quantity)),
        ),
      ),
    );
  return {
    gpus: metered('gpu'),
    cores: metered('cpu'),
    memoryGi: metered('memory'),
    modelsGi: round(modelBytes / GIB),
    storageGi: round(
      sum(disks.map(({ spec }) => spec?.sizeGi ?? 0)) +
        sum(instances.map(({ spec }) => spec?.homeDisk?.sizeGi ?? 0)) +
        sum(snapshots.map(({ status }) => (status?.totalBytes ?? 0) / GIB)),
    ),
    instances: instances.length,
    disks: disks.length,
    hosts: hosts.length,
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
const round = (number: number): number => Math.round(number * 1000) / 1000;
