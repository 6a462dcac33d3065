// Objects of all organisations, as the operators' console lists them, from the caches of all clusters. An object that the schema
// never saw, of an older version or by hand, still has a row.

import type { KindRow } from '@gantry/contract/areas/kinds/admin-computing.ts';
import type { CommonStatus, KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import type { AdminQuery } from '@gantry/contract/http/admin.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { type Organization, organization } from '@gantry/contract/kinds/organization.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { instancePodName, organizationNamespace } from '@gantry/contract/names.ts';
import { isPaused, staffCommandsNow } from '@gantry/contract/staff-commands.ts';
import { viewOf } from '@gantry/contract/view.ts';
import type { Everywhere } from '../../core/kinds/everywhere.ts';
import type { KindStore } from '../../core/kinds/kind-store.ts';
import type { Page } from '../../platform/db/list-pages.ts';
import { pageInMemory } from '../../platform/db/memory-page.ts';

type Seen = KubeObject & { spec?: Record<string, unknown>; status?: CommonStatus & Record<string, unknown> };

export class KindRows {
  readonly #cache: Pick<Everywhere, 'get' | 'list' | 'placeOf'>;
  readonly #prices: Pick<KindStore, 'priceOf'>;

  constructor(cache: Pick<Everywhere, 'get' | 'list' | 'placeOf'>, prices: Pick<KindStore, 'priceOf'>) {
    this.#cache = cache;
    this.#prices = prices;
  }

  page(facts: KindFacts, query: AdminQuery, language: Language): Page<KindRow> {
    const { id } = query.filter;
    const objects =
      id === undefined ? this.#cache.list<Seen>(facts).map(whole) : this.#named(facts, [id].flat().map(String));
    const inMemory = {
      field: (object: Seen, name: string) => fieldOf(facts, object, name),
      isSought,
    };
    return pageInMemory(objects, query, inMemory, (object) => this.row(facts, object, language));
  }

  organization(id: string): { phase: string; quota: Record<string, number> } {
    const found = this.#cache.get<Organization>(organization, undefined, id);
    if (!found) return { phase: 'preparing', quota: {} };
    return { phase: organization.phaseInView(found), quota: { ...found.spec.quota } };
  }

  /** `GpuInstance/dev` in its organisation's log, `GpuInstance/org-acme.dev` in the platform's: the name that its people gave it. */
  nameOf(object: string, organizationId: string): string | undefined {
    const [kind = '', id = ''] = object.split('/');
    const facts = Object.values<KindFacts>(KINDS).find((one) => one.kind === kind);
    if (!facts || id === '' || facts === organization) return undefined;
    const [found] = this.#named(facts, [id.includes('.') ? id : `${organizationNamespace(organizationId)}.${id}`]);
    const name = (found as Seen | undefined)?.spec?.displayName;
    return typeof name === 'string' ? name : undefined;
  }

  /** Throws not_found. */
  find(facts: KindFacts, id: string): KubeObject {
    const [found] = this.#named(facts, [id]);
    if (!found) throw problem('not_found', { what: id });
    return found;
  }

  /** Variables and commands hold tenants' passwords: they stay theirs. */
  row(facts: KindFacts, object: KubeObject, language: Language): KindRow {
    const { metadata, spec: { env: _, command: __, ...spec } = {}, status = {} } = object as Seen;
    const { phase, phaseLabel, tone, message } = viewOf(facts, object, language, 'owner');
    const { namespace = '', creationTimestamp = '' } = metadata;
    const { region, isHere } = this.#cache.placeOf(object);
    const node = nodeOf(object as Seen) ?? null;
    const price = this.#prices.priceOf(facts, object);
    return {
      id: idOf(object),
      organization_id: organizationIn(namespace),
      name: metadata.name,
      display_name: displayName(object as Seen),
      phase,
      phase_label: phaseLabel,
      tone,
      message: message ?? null,
      reason: status.reason ?? null,
      paused: isPaused(object),
      region,
      node: isHere ? node : null,
      // A node of another cluster has no page that a link could lead to.
      nodes: programNodesOf(object as Seen).join(', ') || (isHere ? null : node),
      address: addressesOf(object as Seen)[0] ?? null,
      queue_position: queuePositionOf(object as Seen),
      replicas: replicasOf(object as Seen),
      gpu: gpuOf(object as Seen),
      price: price?.amount ?? null,
      price_currency: price?.currency ?? null,
      price_per: price?.per ?? null,
      created_by: textOf(spec.creator) ?? null,
      created_at: creationTimestamp,
      commands: facts.tenants === 'write' ? staffCommandsNow(facts, object, language) : [],
      spec,
      status,
    };
  }

  #named(facts: KindFacts, ids: readonly string[]): Seen[] {
    return [...new Set(ids)].flatMap((id) => {
      const dot = id.indexOf('.');
      const found = dot > 0 ? this.#cache.get<Seen>(facts, id.slice(0, dot), id.slice(dot + 1)) : undefined;
      return found ? [whole(found)] : [];
    });
  }
}

const NAMESPACE_OF_ORGANIZATION = /^org-/;
const organizationIn = (namespace: string): string => namespace.replace(NAMESPACE_OF_ORGANIZATION, '');

/** A name alone is not one of the platform's: the namespace comes before it. */
const idOf = ({ metadata }: KubeObject): string => `${metadata.namespace ?? ''}.${metadata.name}`;

/** Every schema demands a spec; an object from before it may have none. */
const whole = (object: Seen): Seen => (object.spec ? object : { ...object, spec: {} });

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const displayName = ({ metadata, spec }: Seen): string => textOf(spec?.displayName) ?? metadata.name;
/** The node on which it is; for a save, the node on which it was taken. */
const nodeOf = ({ spec, status }: Seen): string | undefined => textOf(status?.node) ?? textOf(spec?.node);

/** The nodes of a job's workers, or of a service's replicas; each once. */
const programNodesOf = ({ status }: Seen): string[] => [
  ...new Set(
    [...listOf(status?.workers), ...listOf(status?.pods)].flatMap(
      (program) => textOf((program as { node?: unknown } | null)?.node) ?? [],
    ),
  ),
];

const queuePositionOf = ({ status }: Seen): number | null => {
  const { position } = (status?.queue ?? {}) as { position?: unknown };
  return Number.isSafeInteger(position) ? (position as number) : null;
};

/** `2 × NVIDIA-L4`. */
const gpuOf = ({ spec }: Seen): string | null => {
  const { model, count } = (spec?.gpu ?? {}) as { model?: unknown; count?: unknown };
  return typeof model === 'string' && Number.isSafeInteger(count) ? `${count} × ${model}` : null;
};

const replicasOf = ({ status }: Seen): string | null => {
  const { ready, wanted } = (status?.replicas ?? {}) as { ready?: unknown; wanted?: unknown };
  return Number.isSafeInteger(ready) && Number.isSafeInteger(wanted) ? `${ready}/${wanted}` : null;
};

/** The addresses of a run, of a host, or of a disk's file server. */
const addressesOf = ({ status }: Seen): string[] =>
  [
    status?.podIP,
    status?.lanAddress,
    (status?.files as { address?: unknown } | undefined)?.address,
    status?.address,
    ...listOf(status?.nodes).map((node) => (node as { lanAddress?: unknown } | null)?.lanAddress),
  ].flatMap((value) => textOf(value) ?? []);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function fieldOf(facts: KindFacts, object: Seen, name: string): string | boolean | null | readonly string[] {
  const { metadata } = object;
  switch (name) {
    case 'id':
      return idOf(object);
    case 'organization_id':
      return organizationIn(metadata.namespace ?? '');
    case 'name':
      return metadata.name;
    case 'display_name':
      return displayName(object);
    case 'phase':
      return facts.phaseInView(object);
    case 'paused':
      return isPaused(object);
    case 'node':
      return nodeOf(object) ?? programNodesOf(object);
    case 'created_at':
      return metadata.creationTimestamp ?? '';
    default:
      throw new Error(`no field ${name}`);
  }
}

const RUN_NUMBER = /-(\d+)$/;
const PORT = /^(.*[^:]):\d+$/;

/** Log lines name a Pod of a run, an address with its port, an object as `namespace/name`, or only a part of a name. */
function isSought(object: Seen, sought: string): boolean {
  const { name, namespace = '' } = object.metadata;
  const { uid = '' } = object.metadata;
  const names = [name, displayName(object), organizationIn(namespace), idOf(object), `${namespace}/${name}`];
  if (names.some((text) => text.toLowerCase().includes(sought))) return true;
  const [, run] = RUN_NUMBER.exec(sought) ?? [];
  const pod = sought.slice(sought.lastIndexOf('/') + 1);
  if (run !== undefined && pod === instancePodName(name, Number(run)))
    return !sought.includes('/') || sought.startsWith(namespace);
  if (uid !== '' && uid === sought) return true;
  const bare = PORT.exec(sought)?.[1] ?? sought;
  const addresses = addressesOf(object).flatMap((address) => [address, PORT.exec(address)?.[1] ?? address]);
  const nodes = [
    nodeOf(object),
    ...programNodesOf(object),
    ...listOf(object.status?.nodes).map((node) => (node as { name?: string } | null)?.name),
  ];
  return [...addresses, ...nodes].some((text) => text !== undefined && (text === sought || text === bare));
}
