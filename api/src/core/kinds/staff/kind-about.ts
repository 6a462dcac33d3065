// Staff's view of a tenant's object besides its row: from the caches, and its events from the API server.

import type { KindAbout } from '@gantry/contract/areas/kinds/admin-computing.ts';
import type { CommonStatus, KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import type { StateView } from '@gantry/contract/kind-api.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { localized } from '@gantry/contract/localized.ts';
import { LABEL } from '@gantry/contract/names.ts';
import { viewOf } from '@gantry/contract/view.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { stringify } from 'yaml';
import { POD } from '../../../platform/kube/resources.ts';
import type { WatchCache } from '../../../platform/kube/watch-cache.ts';
import { historyOf } from '../to-view.ts';
import type { EventReader } from './events.ts';

type Related = KindAbout['related'][number];
type Seen = KubeObject & {
  spec?: Record<string, unknown>;
  status?: CommonStatus & Record<string, unknown>;
};

export interface KindAboutParts {
  cache: Pick<WatchCache, 'get' | 'list' | 'reader'>;
  events: EventReader;
  /** The resource of the operators' console that lists a kind; undefined if none does. */
  resourceOf(kind: string): string | undefined;
}

const MOST_RELATED = 100;
/** Events of so many Pods are asked for, the newest runs' first. */
const MOST_PODS_ASKED = 3;
const LISTED = Object.values(KINDS as Readonly<Record<string, KindFacts>>).filter(
  ({ scope }) => scope === 'Namespaced',
);

export class KindAbouts {
  readonly #parts: KindAboutParts;

  constructor(parts: KindAboutParts) {
    this.#parts = parts;
  }

  async of(
    facts: KindFacts,
    object: KubeObject,
    language: Language,
  ): Promise<Pick<KindAbout, 'yaml' | 'conditions' | 'history' | 'events' | 'pods' | 'related'>> {
    const pods = this.#podsOf(object);
    const asked = [...pods.map(({ metadata }) => metadata.name)].reverse().slice(0, MOST_PODS_ASKED);
    const { namespace = '', name } = object.metadata;
    return {
      yaml: yamlOf(object),
      conditions: conditionsOf(facts, object as Seen, language),
      history: historyOf(facts, object, { language }).map(whole),
      events: await this.#parts.events.of(namespace, [
        { kind: facts.kind, name },
        ...asked.map((pod) => ({ kind: 'Pod', name: pod })),
      ]),
      pods: pods.map(({ metadata, spec, status }) => ({
        name: metadata.name,
        node: spec?.nodeName ?? null,
        ip: status?.podIP ?? null,
        phase: status?.phase ?? '',
      })),
      related: this.#related(facts, object as Seen, language),
    };
  }

  #podsOf({ kind, metadata }: KubeObject): Pod[] {
    return (this.#parts.cache.reader.list(POD, metadata.namespace) as readonly Pod[])
      .filter(({ metadata: { labels } }) => labels?.[LABEL.kind] === kind && labels[LABEL.name] === metadata.name)
      .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  }

  /** The objects that it names, and those that name it, in its organisation; and its nodes. */
  #related(facts: KindFacts, object: Seen, language: Language): Related[] {
    const { cache, resourceOf } = this.#parts;
    const { namespace = '', name } = object.metadata;
    const named = new Set(namesIn(object));
    const own = keyOf(facts.kind, name);
    const found: Related[] = [];
    for (const kind of LISTED) {
      for (const other of cache.list<Seen>(kind, namespace)) {
        if (found.length === MOST_RELATED) break;
        const key = keyOf(kind.kind, other.metadata.name);
        if (key === own || !(named.has(key) || namesIn(other).includes(own))) continue;
        const {
          name: shown,
          phaseLabel,
          tone,
        } = viewOf(kind, { ...other, spec: other.spec ?? {} } as KubeObject, language, 'owner');
        found.push({
          resource: resourceOf(kind.kind) ?? null,
          kind: kind.words[language],
          id: `${namespace}.${other.metadata.name}`,
          name: shown,
          phase_label: phaseLabel,
          tone,
        });
      }
    }
    const nodes = nodesIn(object).map((node) => ({
      resource: 'nodes',
      kind: 'Node',
      id: node,
      name: node,
      phase_label: null,
      tone: null,
    }));
    return [...found, ...nodes];
  }
}

const keyOf = (kind: string, name: string): string => `${kind}/${name}`;
const textOf = (value: unknown): string[] => (typeof value === 'string' && value !== '' ? [value] : []);
const listOf = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : [];

/** The objects that one names, by the fields in which any kind does so. */
function namesIn({ spec = {}, status = {} }: Seen): string[] {
  return [
    ...textOf(spec.host).map((name) => keyOf('GpuHost', name)),
    ...[...textOf(spec.instance), ...textOf(spec.fromInstance)].map((name) => keyOf('GpuInstance', name)),
    ...listOf(spec.disks).flatMap(({ name }) => textOf(name).map((disk) => keyOf('DataDisk', disk))),
    ...listOf(status.mountedBy).flatMap(({ kind, name }) =>
      textOf(name).flatMap((holder) => textOf(kind).map((of) => keyOf(of, holder))),
    ),
  ];
}

const nodesIn = ({ spec = {}, status = {} }: Seen): string[] => [
  ...new Set([
    ...textOf(status.node),
    ...textOf(spec.node),
    ...listOf(status.nodes).flatMap(({ name }) => textOf(name)),
  ]),
];

const whole = ({ reason = null, message = null, ...state }: StateView) => ({ ...state, reason, message });

function conditionsOf(facts: KindFacts, { status }: Seen, language: Language): KindAbout['conditions'] {
  return (status?.conditions ?? []).map((condition) => ({
    type: condition.type,
    status: condition.status,
    message: localized(facts, condition, language),
    since: timeOf(condition.lastTransitionTime),
  }));
}

/** A time that an older schema let through may be none. */
function timeOf(text: string | undefined): string | null {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}

/** Values of variables and a command's words are a tenant's secrets, wherever they stand; kubectl keeps a copy of what was applied. */
export function yamlOf(object: KubeObject): string {
  const {
    managedFields: _,
    annotations,
    ...metadata
  } = object.metadata as KubeObject['metadata'] & {
    managedFields?: unknown;
  };
  const { [LAST_APPLIED]: __, ...kept } = annotations ?? {};
  const shown = { ...object, metadata: { ...metadata, ...(Object.keys(kept).length > 0 && { annotations: kept }) } };
  return stringify(withoutValues(shown), { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false });
}

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

function withoutValues(value: unknown, field = ''): unknown {
  if (field === 'command') return Array.isArray(value) ? value.map(() => '…') : '…';
  if (Array.isArray(value))
    return field === 'env'
      ? value.map((one) => ({ name: (one as { name?: unknown } | null)?.name }))
      : value.map((one) => withoutValues(one));
  if (typeof value !== 'object' || value === null) return value;
  if (field === 'env') return Object.keys(value);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutValues(inner, name)]));
}
