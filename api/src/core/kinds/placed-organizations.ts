// Our organisations in another cluster, whose operator makes of them what it makes of its own: namespace, quota, accounts. One is made
// there with its first object, and then has the spec that it has here. One that this gateway did not make is another's, whatever its
// name; what one that was deleted has there ends before a later one of its name may have anything there.
import { isDeepStrictEqual } from 'node:util';
import { API_VERSION, type KubeObject } from '@gantry/contract/define-kind.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { identityOf } from '@gantry/contract/identity.ts';
import { type Organization, organization } from '@gantry/contract/kinds/organization.ts';
import { ANNOTATION, organizationOf } from '@gantry/contract/names.ts';
import { isAbsent, isTaken } from '@gantry/kube/api-error.ts';
import { isUnreachable } from '@gantry/kube/check-cluster.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import { type Clock, repeatedly } from '@gantry/kube/clock.ts';
import { resourceOf, targetOf } from '@gantry/kube/resource.ts';
import type { WatchCache } from '../../platform/kube/watch-cache.ts';
import type { Region } from './to-view.ts';

const RESOURCE = resourceOf(organization);
/** A namespace and its accounts take a moment: a caller waits for so long. */
const READY_MS = 15_000;
const COMPARE_MS = 30_000;
const AGAIN_S = 30;

export interface PlacedOrganizationsParts {
  /** Our own cluster's, and the region that it is. */
  home: Pick<WatchCache, 'get' | 'on'>;
  homeRegion: string;
  /** The other cluster's. */
  cache: Pick<WatchCache, 'get' | 'list' | 'on' | 'observe' | 'synced'>;
  client: Pick<KubeClient, 'get' | 'create' | 'mergePatch' | 'delete'>;
  region: Region;
  /** Whether it was deleted: one that is merely absent here is made again. */
  isDeleted(id: string): Promise<boolean>;
  clock: Clock;
  log: { warn(facts: object, text: string): void };
}

export class PlacedOrganizations {
  readonly #parts: PlacedOrganizationsParts;

  constructor(parts: PlacedOrganizationsParts) {
    this.#parts = parts;
  }

  /** Resolves once it can have objects there. Throws region_name_taken, organization_not_ready, unavailable. */
  async admit(namespace: string): Promise<void> {
    const { home, cache } = this.#parts;
    const id = organizationOf(namespace) ?? '';
    const own = home.get<Organization>(organization, undefined, id);
    if (!cache.synced) throw problem('unavailable', { seconds: AGAIN_S }, { retryAfterSeconds: AGAIN_S });
    if (!own || own.metadata.deletionTimestamp !== undefined) throw problem('organization_not_ready');
    try {
      const there = this.#there(id) ?? (await this.#make(own));
      this.#mustBeOurs(there);
      if (await this.#isFormer(there, own)) {
        await this.#end(there);
        throw problem('organization_not_ready');
      }
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      throw problem('unavailable', { seconds: AGAIN_S }, { retryAfterSeconds: AGAIN_S });
    }
    if (!(await this.#isReady(id))) throw problem('organization_not_ready');
  }

  /** Keeps those that are there as they are here, until the signal. Both caches are followed by others. */
  async follow(signal: AbortSignal): Promise<void> {
    const { home, cache, clock } = this.#parts;
    const changed = ({ kind, name }: { kind: { kind: string }; name: string }) => {
      if (kind.kind === organization.kind) void this.#compareOrWarn(name);
    };
    const off = [home.on(changed), cache.on(changed)];
    const all = async () => {
      for (const { metadata } of cache.synced ? cache.list<Organization>(organization) : [])
        await this.#compareOrWarn(metadata.name);
    };
    await repeatedly({ clock, ms: COMPARE_MS, signal }, all, () => {});
    for (const each of off) each();
  }

  async #compareOrWarn(id: string): Promise<void> {
    await this.compare(id).catch((error: unknown) =>
      this.#parts.log.warn({ organization: id, err: error }, 'an organisation is not yet elsewhere what it is here'),
    );
  }

  /** Makes it there what it is here, or ends it. One that is not there, or is not ours, is left alone. */
  async compare(id: string): Promise<void> {
    const { home, client, cache, isDeleted } = this.#parts;
    const there = this.#there(id);
    if (!there || !this.#isOurs(there) || there.metadata.deletionTimestamp !== undefined) return;
    const found = home.get<Organization>(organization, undefined, id);
    const own = found?.metadata.deletionTimestamp === undefined ? found : undefined;
    if (await (own ? this.#isFormer(there, own) : isDeleted(id))) return this.#end(there);
    if (!own || (isSame(there, own) && isDeepStrictEqual(shownOf(own), shownOf(there)))) return;
    const gone = Object.fromEntries(Object.keys(shownOf(there)).map((field) => [field, null]));
    const body = { metadata: { annotations: markOf(own) }, spec: { ...gone, ...shownOf(own) } };
    cache.observe(await client.mergePatch(RESOURCE, { ...targetOf(there), body }));
  }

  /** Whether the organisation of a namespace there is the one that is here. */
  isOurs(namespace: string): boolean {
    const id = organizationOf(namespace) ?? '';
    const [own, there] = [this.#parts.home.get<Organization>(organization, undefined, id), this.#there(id)];
    return own !== undefined && there !== undefined && this.#isOurs(there) && isSame(there, own);
  }

  /** Whether the one there is of one that was deleted: ours has its name, and nothing else of it. */
  async #isFormer(there: Organization, own: Organization): Promise<boolean> {
    return !isSame(there, own) && (await this.#parts.isDeleted(own.metadata.name));
  }

  async #end(there: Organization): Promise<void> {
    const { client } = this.#parts;
    const target = targetOf(there);
    // A policy wants the deletion of tenants' data confirmed on the object itself.
    const body = { metadata: { annotations: { [ANNOTATION.confirmDelete]: there.metadata.name } } };
    try {
      await client.mergePatch(RESOURCE, { ...target, body });
      await client.delete(RESOURCE, target);
    } catch (error) {
      if (!isAbsent(error)) throw error;
    }
  }

  async #make(own: Organization): Promise<Organization> {
    const { client, cache, homeRegion } = this.#parts;
    const { name } = own.metadata;
    const annotations = { [ANNOTATION.home]: homeRegion, ...markOf(own) };
    const wanted = {
      apiVersion: API_VERSION,
      kind: organization.kind,
      metadata: { name, annotations },
      spec: shownOf(own),
    };
    const made = await client.create(RESOURCE, wanted as KubeObject).catch((error: unknown) => {
      // Another gateway was faster, or the cache is behind.
      if (isTaken(error)) return client.get(RESOURCE, undefined, name);
      throw error;
    });
    cache.observe(made);
    return made as Organization;
  }

  #mustBeOurs(there: Organization): void {
    const { label } = this.#parts.region;
    if (!this.#isOurs(there)) throw problem('region_name_taken', { region: label }, { field: 'region' });
    if (there.metadata.deletionTimestamp !== undefined) throw problem('organization_not_ready');
  }

  #isOurs({ metadata }: Organization): boolean {
    return metadata.annotations?.[ANNOTATION.home] === this.#parts.homeRegion;
  }

  #isReady(id: string): Promise<boolean> {
    const { cache, clock } = this.#parts;
    const isReady = () => this.#there(id)?.status?.phase === 'ready';
    if (isReady()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const end = () => {
        off();
        cancel();
        resolve(isReady());
      };
      const off = cache.on(({ kind, name }) => {
        if (kind.kind === organization.kind && name === id && isReady()) end();
      });
      const cancel = clock.after(READY_MS, end);
    });
  }

  #there(id: string): Organization | undefined {
    return this.#parts.cache.get<Organization>(organization, undefined, id);
  }
}

/** Datasets are read at home: their server is no wish for another cluster. */
const shownOf = ({ spec: { data: _, ...shown } }: Organization): Omit<Organization['spec'], 'data'> => shown;

const markOf = (own: Organization): Record<string, string> => ({ [ANNOTATION.homeIdentity]: identityOf(own) });

/** One that was merely made again here, or came from another version, has another mark as well: then it is the row that says. */
const isSame = (there: Organization, own: Organization): boolean =>
  there.metadata.annotations?.[ANNOTATION.homeIdentity] === identityOf(own);
