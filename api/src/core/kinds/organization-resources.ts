// The cluster's Organizations, for the projection of rows: read from the cache, written with the gateway's own rights. In an
// existing spec only the projected fields change; the quota belongs to platform staff.
import { hostCapOf } from '@gantry/contract/billing/plans.ts';
import { API_VERSION, type KubeObject } from '@gantry/contract/define-kind.ts';
import { type Organization, organization } from '@gantry/contract/kinds/organization.ts';
import { ANNOTATION } from '@gantry/contract/names.ts';
import type { OrgRole } from '@gantry/contract/roles.ts';
import { isAbsent } from '@gantry/kube/api-error.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import { resourceOf, targetOf } from '@gantry/kube/resource.ts';
import type { WatchCache } from '../../platform/kube/watch-cache.ts';

interface Member {
  account: string;
  role: OrgRole;
}

interface Shown {
  displayName: string;
  description: string;
  members: readonly Member[];
}

interface Seen {
  id: string;
  displayName: string | undefined;
  description: string | undefined;
  members: readonly Member[];
  isGoing: boolean;
  inherits: boolean;
  isOthers: boolean;
}

const RESOURCE = resourceOf(organization);

export interface OrganizationResourcesParts {
  client: Pick<KubeClient, 'create' | 'get' | 'mergePatch' | 'delete'>;
  cache: Pick<WatchCache, 'get' | 'list' | 'on' | 'observe'>;
}

export class OrganizationResources {
  readonly #client: OrganizationResourcesParts['client'];
  readonly #cache: OrganizationResourcesParts['cache'];

  constructor({ client, cache }: OrganizationResourcesParts) {
    this.#client = client;
    this.#cache = cache;
  }

  list(): readonly Seen[] {
    return this.#cache.list<Organization>(organization).map(seenOf);
  }

  get(id: string): Seen | undefined {
    const found = this.#cache.get<Organization>(organization, undefined, id);
    return found && seenOf(found);
  }

  /** As a person sees it: `preparing` while there is none yet. */
  phase(id: string): string {
    const found = this.#cache.get<Organization>(organization, undefined, id);
    return found ? organization.phaseInView(found) : 'preparing';
  }

  /** Creates it, or changes the projected fields. The caller retries conflicts: the cache is a moment behind. */
  async apply(id: string, { displayName, description, members }: Shown): Promise<void> {
    const spec = { displayName, description, members: [...members] };
    const found = this.#cache.get<Organization>(organization, undefined, id);
    if (!found) {
      // It begins on the free plan; its other quotas are the schema's defaults.
      const quota = { hosts: hostCapOf('free') };
      const wanted = {
        apiVersion: API_VERSION,
        kind: organization.kind,
        metadata: { name: id },
        spec: { ...spec, quota },
      };
      this.#cache.observe(await this.#client.create(RESOURCE, wanted as KubeObject));
      return;
    }
    // With its version, or the list would drop members that kubectl added in the meantime.
    const { resourceVersion = '' } = found.metadata;
    this.#cache.observe(
      await this.#client.mergePatch(RESOURCE, { ...targetOf(found), resourceVersion, body: { spec } }),
    );
  }

  /** A policy wants the deletion of tenants' data confirmed on the object itself. */
  async delete(id: string): Promise<void> {
    try {
      const found = await this.#client.get(RESOURCE, undefined, id);
      if (found.metadata.deletionTimestamp) return;
      const body = { metadata: { annotations: { [ANNOTATION.confirmDelete]: id } } };
      const target = targetOf(found);
      await this.#client.mergePatch(RESOURCE, { ...target, body });
      await this.#client.delete(RESOURCE, target);
    } catch (error) {
      if (!isAbsent(error)) throw error;
    }
  }

  on(changed: (id: string) => void): void {
    this.#cache.on(({ kind, name }) => {
      if (kind.kind === organization.kind) changed(name);
    });
  }
}

const seenOf = ({ metadata, spec }: Organization): Seen => ({
  id: metadata.name,
  displayName: spec.displayName,
  description: spec.description,
  members: spec.members ?? [],
  isGoing: metadata.deletionTimestamp !== undefined,
  inherits: metadata.annotations?.[ANNOTATION.inherits] === metadata.name,
  isOthers: metadata.annotations?.[ANNOTATION.home] !== undefined,
});
