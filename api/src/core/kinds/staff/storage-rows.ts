// Volumes and their claims as staff see them: how full each storage class is on each node, and what nobody owns any longer. No cache
// follows them: they are listed when somebody looks, at most every half minute, and never twice at once.

import type { ComputingRow } from '@gantry/contract/areas/kinds/admin-computing.ts';
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { GI, quantity } from '@gantry/contract/fields/quantity.ts';
import { type DataDisk, dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { type GpuInstance, gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { organization } from '@gantry/contract/kinds/organization.ts';
import { type Snapshot, snapshot } from '@gantry/contract/kinds/snapshot.ts';
import { DISK_SUFFIX, HOME_SUFFIX, organizationOf } from '@gantry/contract/names.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Wire } from '@gantry/kube/core-objects.ts';
import { coreResource, type Resource } from '@gantry/kube/resource.ts';
import type { V1PersistentVolume, V1PersistentVolumeClaim } from '@kubernetes/client-node';
import type { WatchCache } from '../../../platform/kube/watch-cache.ts';
import { STAFF_USER } from './staff-writes.ts';

export type OrphanRow = ComputingRow<'orphans'>;
export type FillRow = ComputingRow<'storage-fill'>;
type Claim = KubeObject & Pick<Wire<V1PersistentVolumeClaim>, 'spec' | 'status'>;
/** One from before its schema may have no spec. */
type FromBefore = Omit<Snapshot, 'spec'> & Partial<Pick<Snapshot, 'spec'>>;
type Volume = KubeObject & Pick<Wire<V1PersistentVolume>, 'spec' | 'status'>;

export interface StorageRowsParts {
  cache: Pick<WatchCache, 'get' | 'list'>;
  client: { as(user: string): Pick<KubeClient, 'list'> };
  clock: Pick<Clock, 'monotonic' | 'now'>;
}

const CLAIMS = coreResource('persistentvolumeclaims', 'PersistentVolumeClaim');
const VOLUMES = coreResource('persistentvolumes', 'PersistentVolume', false);
const KEPT_MS = 30_000;
const PAGE = 1_000;
/** A claim that waits for its first Pod is no orphan yet. */
const UNBOUND_MS = 3_600_000;
const NO_CLASS = '–';

interface Stored {
  claims: readonly Claim[];
  volumes: readonly Volume[];
}

export class StorageRows {
  readonly #parts: StorageRowsParts;
  #known: { at: number; stored: Promise<Stored> } | undefined;

  constructor(parts: StorageRowsParts) {
    this.#parts = parts;
  }

  async fill(): Promise<FillRow[]> {
    const { claims, volumes } = await this.#stored();
    const nodeOfVolume = new Map(volumes.map((volume) => [volume.metadata.name, nodeOf(volume)]));
    const groups = new Map<string, FillRow>();
    for (const claim of claims) {
      const storage_class = claim.spec?.storageClassName ?? NO_CLASS;
      const node = nodeOfVolume.get(claim.spec?.volumeName ?? '') ?? null;
      const id = `${storage_class}@${node ?? ''}`;
      const row = groups.get(id) ?? {
        ...{ id, storage_class, node, volumes: 0, claimed_gi: 0 },
        ...{ measured: 0, used_gi: 0, total_gi: 0, fill_percent: null },
      };
      groups.set(id, row);
      row.volumes += 1;
      row.claimed_gi += sizeOf(claim);
      const usage = this.#usageOf(claim);
      if (!usage) continue;
      row.measured += 1;
      row.used_gi += usage.usedBytes / GI;
      row.total_gi += usage.totalBytes / GI;
    }
    return [...groups.values()].map((row) => ({
      ...row,
      claimed_gi: tenths(row.claimed_gi),
      used_gi: tenths(row.used_gi),
      total_gi: tenths(row.total_gi),
      fill_percent: row.total_gi > 0 ? tenths((row.used_gi / row.total_gi) * 100) : null,
    }));
  }

  async orphans(): Promise<OrphanRow[]> {
    const { claims, volumes } = await this.#stored();
    const nodeOfVolume = new Map(volumes.map((volume) => [volume.metadata.name, nodeOf(volume)]));
    return [
      ...claims.flatMap((claim) => {
        const why = this.#whyNobodys(claim);
        return why ? [claimRow(claim, why, nodeOfVolume.get(claim.spec?.volumeName ?? '') ?? null)] : [];
      }),
      ...volumes.filter(({ status }) => status?.phase === 'Released' || status?.phase === 'Failed').map(volumeRow),
      ...this.#parts.cache.list<FromBefore>(snapshot).flatMap((save) => {
        const { namespace, name } = save.metadata;
        const isThere = this.#parts.cache.get(gpuInstance, namespace, save.spec?.instance ?? '') !== undefined;
        // A copy is what an image keeps, and outlives the instance on purpose. A log goes with the object whose program wrote it.
        return isThere || save.spec?.of === 'Copy' || save.spec?.of === 'Log'
          ? []
          : [snapshotRow(save, `${namespace}.${name}`)];
      }),
    ];
  }

  #usageOf({ metadata: { namespace, name } }: Claim) {
    const { cache } = this.#parts;
    if (name.endsWith(DISK_SUFFIX))
      return cache.get<DataDisk>(dataDisk, namespace, name.slice(0, -DISK_SUFFIX.length))?.status?.usage;
    if (name.endsWith(HOME_SUFFIX))
      return cache.get<GpuInstance>(gpuInstance, namespace, name.slice(0, -HOME_SUFFIX.length))?.status?.usage?.home;
    return undefined;
  }

  /** The reason why a claim belongs to nobody. Only claims in organisations' namespaces: others are the cluster's own. */
  #whyNobodys({ metadata, status }: Claim): OrphanRow['why'] | undefined {
    const { namespace = '', name, creationTimestamp = '' } = metadata;
    const id = organizationOf(namespace);
    if (id === undefined) return undefined;
    const { cache } = this.#parts;
    if (!cache.get(organization, undefined, id)) return 'organizationGone';
    const owner = name.endsWith(DISK_SUFFIX)
      ? cache.get(dataDisk, namespace, name.slice(0, -DISK_SUFFIX.length))
      : name.endsWith(HOME_SUFFIX)
        ? cache.get(gpuInstance, namespace, name.slice(0, -HOME_SUFFIX.length))
        : undefined;
    if (!owner) return 'objectGone';
    const isOld = this.#parts.clock.now() - Date.parse(creationTimestamp) > UNBOUND_MS;
    return status?.phase !== 'Bound' && isOld ? 'unbound' : undefined;
  }

  #stored(): Promise<Stored> {
    const at = this.#parts.clock.monotonic();
    if (this.#known && at - this.#known.at < KEPT_MS) return this.#known.stored;
    const stored = this.#read();
    const known = { at, stored };
    this.#known = known;
    stored.catch(() => {
      if (this.#known === known) this.#known = undefined;
    });
    return stored;
  }

  async #read(): Promise<Stored> {
    const [claims, volumes] = await Promise.all([this.#all<Claim>(CLAIMS), this.#all<Volume>(VOLUMES)]);
    return { claims, volumes };
  }

  async #all<T extends KubeObject>(resource: Resource): Promise<T[]> {
    const staff = this.#parts.client.as(STAFF_USER);
    const found: T[] = [];
    let next: string | undefined;
    do {
      const page = await staff.list(resource, { limit: PAGE, ...(next && { continue: next }) });
      found.push(...(page.items as T[]));
      next = page.metadata.continue;
    } while (next);
    return found;
  }
}

const HOSTNAME = 'kubernetes.io/hostname';

/** The only node that a volume is tied to. */
function nodeOf({ spec }: Volume): string | null {
  const names = (spec?.nodeAffinity?.required?.nodeSelectorTerms ?? []).flatMap(({ matchExpressions }) =>
    (matchExpressions ?? [])
      .filter(({ key, operator }) => key === HOSTNAME && operator === 'In')
      .flatMap(({ values }) => values ?? []),
  );
  return names.length === 1 ? (names[0] ?? null) : null;
}

/** The size that it got, or the requested one while it has none. */
const sizeOf = ({ spec, status }: Claim): number =>
  quantity(status?.capacity?.storage ?? spec?.resources?.requests?.storage) / GI;

const claimRow = ({ metadata, spec, status }: Claim, why: OrphanRow['why'], node: string | null): OrphanRow => {
  const { namespace = '', name, creationTimestamp = '' } = metadata;
  return {
    id: `claim:${namespace}.${name}`,
    ...{ kind: 'claim', name, namespace, why, node, created_at: creationTimestamp },
    organization_id: organizationOf(namespace) ?? null,
    size_gi: tenths(sizeOf({ metadata, spec, status } as Claim)),
    storage_class: spec?.storageClassName ?? null,
  };
};

const volumeRow = (volume: Volume): OrphanRow => {
  const { metadata, spec } = volume;
  const namespace = spec?.claimRef?.namespace ?? null;
  return {
    id: `volume:${metadata.name}`,
    ...{ kind: 'volume', name: metadata.name, namespace, why: 'released', node: nodeOf(volume) },
    organization_id: organizationOf(namespace ?? '') ?? null,
    size_gi: tenths(quantity(spec?.capacity?.storage) / GI),
    storage_class: spec?.storageClassName ?? null,
    created_at: metadata.creationTimestamp ?? '',
  };
};

const snapshotRow = ({ metadata, status, spec }: FromBefore, id: string): OrphanRow => {
  const { namespace = '', name, creationTimestamp = '' } = metadata;
  return {
    id: `snapshot:${id}`,
    ...{ kind: 'snapshot', name, namespace, why: 'instanceGone', created_at: creationTimestamp },
    organization_id: organizationOf(namespace) ?? null,
    size_gi: status?.sizeBytes === undefined ? null : tenths(status.sizeBytes / GI),
    storage_class: null,
    node: spec?.node ?? null,
  };
};

const tenths = (amount: number): number => Math.round(amount * 10) / 10;
