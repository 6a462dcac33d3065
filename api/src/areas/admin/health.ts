// How the platform's own parts are: each with its version, since when, when it was last seen, and what is wrong with it. Everything is
// asked when staff look; a part that does not answer is a row, never a failure of the list.

import type { Component } from '@gantry/contract/areas/settings/admin-operation.ts';
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import type { AdminQuery, AdminRow } from '@gantry/contract/http/admin.ts';
import { AGENT_AWAY_MS, AGENT_KIND, agentLease, LABEL, PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Resource } from '@gantry/kube/resource.ts';
import { and, count, desc, gt, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Page } from '../../platform/db/list-pages.ts';
import { pageInMemory } from '../../platform/db/memory-page.ts';
import type { Database } from '../../platform/db/open.ts';
import { rowsOf } from '../../platform/db/rows-of.ts';
import { mails } from '../../platform/db/schema/identity.ts';
import { gateways } from '../../platform/db/schema/operation.ts';

type Row = AdminRow<'health'>;

export interface HealthParts {
  db: Database;
  clock: Clock;
  version: string;
  cluster: {
    list(resource: Resource, query: Record<string, string>): Promise<{ items: readonly KubeObject[] }>;
    /** Names of the nodes that run something: without simulated ones. */
    nodes(): readonly string[];
    /** Clusters of other regions. */
    elsewhere(): readonly {
      region: { id: string; label: string };
      isCurrent: boolean;
      staleSince: number | undefined;
    }[];
  };
  /** The registry's address; '' if there is none. */
  registryUrl: string;
  canMail: boolean;
  /** The contact of the operator, and the issuer of invoices; '' if nobody has set it, undefined if there is no need. */
  wanted: Readonly<Record<keyof typeof WANTED, () => string | undefined>>;
  /** How it is with backups, and where they are. */
  backups: { where: string; status(): Promise<BackupStatus> };
  fetch?: typeof fetch;
}

const LEASES: Resource = {
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  kind: 'Lease',
  namespaced: true,
  namespace: PLATFORM_NAMESPACE,
};
const PODS: Resource = {
  group: '',
  version: 'v1',
  plural: 'pods',
  kind: 'Pod',
  namespaced: true,
  namespace: PLATFORM_NAMESPACE,
};
/** As the operator calls it by default (`--lease-name`). */
const OPERATOR_LEASE = 'gantry-operator';
const VERSION = 'gantry.dev/version';
const APP = 'app.kubernetes.io/name';
const DOOR = 'gantry-ssh-door';
const GATEWAY_SILENT_MS = 40_000;
const OPERATOR_SILENT_MS = 20_000;
const REGISTRY_MS = 3_000;
const HOUR_MS = 3_600_000;
const MOST_FAILED_MAILS = 3;

interface Lease extends KubeObject {
  spec?: { holderIdentity?: string; renewTime?: string; acquireTime?: string };
}
interface Pod extends KubeObject {
  spec?: { nodeName?: string; containers?: readonly { image?: string }[] };
  status?: {
    startTime?: string;
    conditions?: readonly { type: string; status: string }[];
  };
}

/** Settings that an installation does without, and people do not: what is said where they are missing. */
const WANTED = { contact: 'contactOff', issuer: 'issuerOff' } as const;

export class Health {
  readonly #parts: HealthParts;

  constructor(parts: HealthParts) {
    this.#parts = parts;
  }

  async page(query: AdminQuery): Promise<Page<Row>> {
    return pageInMemory(
      await this.rows(),
      query,
      { field: (row, name) => row[name as keyof Row], isSought: () => true },
      (row) => row,
    );
  }

  async rows(): Promise<Row[]> {
    const parts = await Promise.all([
      this.#gateways(),
      this.#cluster(),
      this.#database(),
      this.#registry(),
      this.#mails(),
      this.#backups(),
      this.#otherClusters(),
      this.#wanted(),
    ]);
    return parts.flat();
  }

  async #gateways(): Promise<Row[]> {
    const { db, clock, version } = this.#parts;
    const all = await db.sql.select().from(gateways).orderBy(desc(gateways.seenAt));
    return all.map(({ id, host, version: its, startedAt, seenAt }) => {
      const isSilent = clock.now() - seenAt.getTime() > GATEWAY_SILENT_MS;
      const trouble = isSilent ? 'gatewaySilent' : its === version ? null : 'gatewayVersions';
      return rowOf('gateway', `${host} (${id})`, {
        state: isSilent ? 'down' : trouble === null ? 'ok' : 'warning',
        version: its,
        since: startedAt.toISOString(),
        seen_at: seenAt.toISOString(),
        trouble,
      });
    });
  }

  async #cluster(): Promise<Row[]> {
    const { cluster } = this.#parts;
    const [leases, pods] = await Promise.all([
      cluster.list(LEASES, {}).then(
        ({ items }) => items as readonly Lease[],
        () => undefined,
      ),
      cluster.list(PODS, {}).then(
        ({ items }) => items as readonly Pod[],
        () => undefined,
      ),
    ]);
    return [
      ...(leases ? [this.#operator(leases), ...this.#agents(leases, pods ?? [])] : unreadable('operator', 'nodeAgent')),
      ...(pods ? doors(pods) : unreadable('door')),
    ];
  }

  #operator(leases: readonly Lease[]): Row {
    const lease = leases.find(({ metadata }) => metadata.name === OPERATOR_LEASE);
    if (!lease?.spec?.holderIdentity)
      return rowOf('operator', OPERATOR_LEASE, { state: 'down', trouble: 'operatorMissing' });
    const { holderIdentity, renewTime, acquireTime } = lease.spec;
    const isSilent = this.#isSilent(renewTime, OPERATOR_SILENT_MS);
    return rowOf('operator', holderIdentity, {
      state: isSilent ? 'down' : 'ok',
      version: lease.metadata.annotations?.[VERSION] ?? null,
      since: timeOf(acquireTime),
      seen_at: timeOf(renewTime),
      trouble: isSilent ? 'operatorSilent' : null,
    });
  }

  #agents(leases: readonly Lease[], pods: readonly Pod[]): Row[] {
    const isAgents = ({ metadata }: Lease) => metadata.labels?.[LABEL.kind] === AGENT_KIND;
    const byName = new Map(leases.filter(isAgents).map((lease) => [lease.metadata.name, lease]));
    const known = [...byName.keys()].map((name) => name.slice(0, -agentLease('').length));
    return [...new Set([...this.#parts.cluster.nodes(), ...known])].sort().map((node) => {
      const lease = byName.get(agentLease(node));
      const pod = pods.find((one) => one.metadata.labels?.[APP] === 'gantry-agent' && one.spec?.nodeName === node);
      if (!lease) return rowOf('nodeAgent', node, { state: 'down', trouble: 'agentMissing' });
      const isSilent = this.#isSilent(lease.spec?.renewTime, AGENT_AWAY_MS);
      return rowOf('nodeAgent', node, {
        state: isSilent ? 'down' : 'ok',
        version: imageTag(pod),
        since: timeOf(pod?.status?.startTime ?? (lease.metadata.creationTimestamp as string | undefined)),
        seen_at: timeOf(lease.spec?.renewTime),
        trouble: isSilent ? 'agentSilent' : null,
      });
    });
  }

  #isSilent(renewTime: string | undefined, ms: number): boolean {
    const at = Date.parse(renewTime ?? '');
    return Number.isNaN(at) || this.#parts.clock.now() - at > ms;
  }

  /** Whoever reads this has an answer from it. */
  async #database(): Promise<Row[]> {
    const { db, clock } = this.#parts;
    const [said] = await rowsOf<{ version: string; since: string | Date }>(
      db.sql,
      sql`select current_setting('server_version') as version, pg_postmaster_start_time() as since`,
    );
    const isEmbedded = db.kind === 'pglite';
    const since = said ? new Date(said.since) : undefined;
    return [
      rowOf('database', isEmbedded ? 'PGlite' : 'PostgreSQL', {
        state: isEmbedded ? 'warning' : 'ok',
        version: said?.version ?? null,
        since: since && !Number.isNaN(since.getTime()) ? since.toISOString() : null,
        seen_at: new Date(clock.now()).toISOString(),
        trouble: isEmbedded ? 'databaseEmbedded' : null,
      }),
    ];
  }

  async #registry(): Promise<Row[]> {
    const { registryUrl, clock, fetch: ask = fetch } = this.#parts;
    if (registryUrl === '') return [rowOf('registry', '–', { state: 'unknown', trouble: 'registryOff' })];
    const { host } = new URL(registryUrl);
    try {
      const answer = await ask(new URL('/v2/', registryUrl), {
        signal: AbortSignal.timeout(REGISTRY_MS),
        redirect: 'manual',
      });
      await answer.body?.cancel();
      // It asks who is there.
      if (answer.status !== 200 && answer.status !== 401) throw new Error(`the registry answered ${answer.status}`);
      const version = answer.headers.get('docker-distribution-api-version');
      return [rowOf('registry', host, { state: 'ok', version, seen_at: new Date(clock.now()).toISOString() })];
    } catch {
      return [rowOf('registry', host, { state: 'down', trouble: 'registrySilent' })];
    }
  }

  #otherClusters(): Row[] {
    const { cluster, clock } = this.#parts;
    return cluster.elsewhere().map(({ region: { id, label }, isCurrent, staleSince }) => {
      const seenAt = isCurrent ? clock.now() : staleSince;
      return rowOf('cluster', label, {
        id: `cluster.${id}`,
        state: isCurrent ? 'ok' : 'down',
        seen_at: seenAt === undefined ? null : new Date(seenAt).toISOString(),
        trouble: isCurrent ? null : 'clusterAway',
      });
    });
  }

  #wanted(): Row[] {
    return (Object.keys(WANTED) as (keyof typeof WANTED)[]).flatMap((component) => {
      const value = this.#parts.wanted[component]();
      if (value === undefined) return [];
      return value === ''
        ? rowOf(component, '–', { state: 'warning', trouble: WANTED[component] })
        : rowOf(component, value, { state: 'ok' });
    });
  }

  async #mails(): Promise<Row[]> {
    const { db, clock, canMail } = this.#parts;
    if (!canMail) return [rowOf('mail', '–', { state: 'warning', trouble: 'mailOff' })];
    const anHourAgo = new Date(clock.now() - HOUR_MS);
    const [failed] = await db.sql
      .select({ total: count() })
      .from(mails)
      .where(
        and(gt(mails.createdAt, anHourAgo), isNull(mails.sentAt), isNull(mails.givenUpBy), isNotNull(mails.lastError)),
      );
    const [last] = await db.sql
      .select({ at: mails.sentAt })
      .from(mails)
      .where(isNotNull(mails.sentAt))
      .orderBy(desc(mails.sentAt))
      .limit(1);
    const isFailing = (failed?.total ?? 0) >= MOST_FAILED_MAILS;
    return [
      rowOf('mail', 'SMTP', {
        state: isFailing ? 'warning' : 'ok',
        seen_at: last?.at?.toISOString() ?? null,
        trouble: isFailing ? 'mailFailing' : null,
      }),
    ];
  }

  async #backups(): Promise<Row[]> {
    const { where, status } = this.#parts.backups;
    const { isConfigured, lastAt, hasFailed, isLate } = await status();
    if (!isConfigured) return [rowOf('backup', '–', { state: 'warning', trouble: 'backupOff' })];
    const trouble = hasFailed ? 'backupFailed' : isLate ? 'backupLate' : null;
    const state = trouble === null ? 'ok' : 'warning';
    return [rowOf('backup', where, { state, seen_at: lastAt?.toISOString() ?? null, trouble })];
  }
}

/** As `backup/backup-runs.ts` tells it. */
interface BackupStatus {
  isConfigured: boolean;
  lastAt: Date | undefined;
  hasFailed: boolean;
  isLate: boolean;
}

const unreadable = (...components: Component[]): Row[] =>
  components.map((component) => rowOf(component, '–', { state: 'unknown', trouble: 'notReadable' }));

function doors(pods: readonly Pod[]): Row[] {
  const found = pods.filter(({ metadata }) => metadata.labels?.[APP] === DOOR);
  if (found.length === 0) return [rowOf('door', '–', { state: 'down', trouble: 'doorMissing' })];
  return found.map((pod) => {
    const isReady = pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
    return rowOf('door', pod.metadata.name, {
      state: isReady ? 'ok' : 'down',
      version: imageTag(pod),
      since: timeOf(pod.status?.startTime),
      trouble: isReady ? null : 'doorNotReady',
    });
  });
}

const rowOf = (component: Component, name: string, facts: Pick<Row, 'state'> & Partial<Row>): Row => ({
  id: `${component}.${name}`.replaceAll('/', '_'),
  component,
  name,
  version: null,
  since: null,
  seen_at: null,
  trouble: null,
  ...facts,
});

/** `registry/official/node-agent:1.2.0` → `1.2.0` */
function imageTag(pod: Pod | undefined): string | null {
  const image = pod?.spec?.containers?.[0]?.image ?? '';
  return /:([^:/@]+)(@.*)?$/.exec(image)?.[1] ?? null;
}

/** A Lease's times have microseconds. */
function timeOf(text: string | undefined): string | null {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}
