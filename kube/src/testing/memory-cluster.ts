// An API server in memory, for tests: versions, uids, preconditions, finalizers and field owners of status as the real one
// has them (test/integration says so on a real one). Everything else it accepts.
import { randomUUID } from 'node:crypto';
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { ApiError, type StatusBody } from '../api-error.ts';
import {
  apiVersionOf,
  type ClientOptions,
  type KubeClient,
  type ListPage,
  type Query,
  type WatchEvent,
  type WriteOptions,
} from '../client.ts';
import type { NamedRemoval, Patch, PatchStep, Resource, Target } from '../resource.ts';

type Held = KubeObject & { status?: Record<string, unknown> };
type Write = 'create' | 'apply' | 'patch' | 'delete';

export class MemoryCluster
  implements
    Pick<KubeClient, 'get' | 'list' | 'watch' | 'create' | 'apply' | 'mergePatch' | 'jsonPatch' | 'delete' | 'raw'>
{
  /** Every write asked for, such as `create Pod a-1`, `apply Widget a status` or `patch Widget a dryRun`. */
  readonly writes: string[] = [];
  /** Called before each write; an error that it throws is the answer. With `after`, the write was carried out anyway. */
  refuse: (write: string) => { error: Error; after?: boolean } | undefined = () => undefined;
  #version = 100;
  readonly #objects = new Map<string, Held>();
  readonly #watches = new Set<{ resource: Resource; onEvent(event: WatchEvent): void }>();
  readonly #resources: readonly Resource[];
  readonly #fieldManager: string;

  constructor(resources: readonly Resource[], { fieldManager }: Pick<ClientOptions, 'fieldManager'>) {
    this.#resources = resources;
    this.#fieldManager = fieldManager;
  }

  /** As somebody else would: neither counted nor refused. */
  put(object: KubeObject): KubeObject {
    const old = this.#objects.get(idOf(object));
    return this.#store({ ...object, metadata: { uid: old?.metadata.uid ?? randomUUID(), ...object.metadata } }, old);
  }

  find(kind: string, name: string): Held | undefined {
    return [...this.#objects.values()].find((object) => object.kind === kind && object.metadata.name === name);
  }

  async get({ kind }: Resource, namespace: string | undefined, name: string): Promise<KubeObject> {
    return copied(this.#must(idOf({ kind, metadata: { namespace, name } })));
  }

  async list(resource: Resource, _query: Query): Promise<ListPage> {
    const { kind, namespace, labelSelector } = resource;
    const items = [...this.#objects.values()].filter(
      (one) =>
        one.kind === kind &&
        one.apiVersion === apiVersionOf(resource) &&
        (namespace === undefined || one.metadata.namespace === namespace) &&
        // Selectors of more than one label's presence are for the real one.
        (labelSelector === undefined || one.metadata.labels?.[labelSelector] !== undefined),
    );
    return copied({ metadata: { resourceVersion: `${this.#version}` }, items });
  }

  watch(
    resource: Resource,
    _query: Query,
    onEvent: (event: WatchEvent) => void,
    { signal }: { signal: AbortSignal; limitMs: number },
  ): Promise<void> {
    const watch = { resource, onEvent };
    this.#watches.add(watch);
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        this.#watches.delete(watch);
        reject(new Error('aborted'));
      });
    });
  }

  create(resource: Resource, object: KubeObject, { dryRun }: WriteOptions = {}): Promise<KubeObject> {
    return this.#write('create', resource, object.metadata.name, dryRun ? 'dryRun' : '', () => {
      if (this.#objects.has(idOf(object)))
        throw new ApiError(409, { reason: 'AlreadyExists', message: 'already exists' });
      const made = { ...object, metadata: { ...object.metadata, uid: randomUUID() } };
      return dryRun ? made : this.#store(made, undefined);
    });
  }

  apply(resource: Resource, object: KubeObject, subresource?: 'status'): Promise<KubeObject> {
    const manager = this.#fieldManager;
    return this.#write('apply', resource, object.metadata.name, subresource ?? '', () => {
      const old = this.#objects.get(idOf(object));
      if (!old && !subresource && object.metadata.uid === undefined) {
        return this.#store({ ...object, metadata: { ...object.metadata, uid: randomUUID() } }, undefined);
      }
      if (!old) throw new ApiError(subresource ? 404 : 409, { reason: subresource ? 'NotFound' : 'Conflict' });
      check(old, object.metadata, subresource);
      if (!subresource) {
        const labels = { ...old.metadata.labels, ...object.metadata.labels };
        return this.#store({ ...old, ...object, metadata: { ...object.metadata, ...old.metadata, labels } }, old);
      }
      const applied = (object as Held).status ?? {};
      const status = appliedStatus(old.status ?? {}, ownedFields(old, manager), applied);
      return this.#store({ ...old, status, metadata: { ...old.metadata, ...owners(old, manager, applied) } }, old);
    });
  }

  mergePatch(
    resource: Resource,
    patch: Patch,
    subresource?: 'status',
    { dryRun }: WriteOptions = {},
  ): Promise<KubeObject> {
    const how = [subresource, dryRun && 'dryRun'].filter(Boolean).join(' ');
    return this.#write('patch', resource, patch.name, how, () => {
      const old = this.#must(idOf({ kind: patch.kind, metadata: patch }));
      check(old, patch, subresource);
      const patched = counted(merge(old, patch.body) as Held, old);
      return dryRun ? patched : this.#store(patched, old);
    });
  }

  jsonPatch(
    resource: Resource,
    target: Pick<Target, 'namespace' | 'name' | 'uid'>,
    steps: readonly PatchStep[],
    subresource?: 'status',
  ): Promise<KubeObject> {
    return this.#write('patch', resource, target.name, subresource ?? '', () => {
      const old = this.#must(idOf({ kind: resource.kind, metadata: target }));
      const uid: PatchStep = { op: 'test', path: '/metadata/uid', value: target.uid };
      const patched = [uid, ...steps].reduce(stepped, structuredClone(old)) as Held;
      // A status write takes only the status, any other write everything else.
      const stored = subresource ? { ...old, status: patched.status } : { ...patched, status: old.status };
      return this.#store(JSON.parse(JSON.stringify(stored)) as Held, old);
    });
  }

  delete(resource: Resource, removal: NamedRemoval): Promise<KubeObject | StatusBody> {
    return this.#write<KubeObject | StatusBody>('delete', resource, removal.name, '', () => {
      const old = this.#must(idOf({ kind: removal.kind, metadata: removal }));
      if (removal.uid !== undefined && old.metadata.uid !== removal.uid)
        throw new ApiError(409, { reason: 'Conflict' });
      const deletionTimestamp = old.metadata.deletionTimestamp ?? '2026-01-01T00:00:00Z';
      const going = this.#store({ ...old, metadata: { ...old.metadata, deletionTimestamp } }, old);
      return this.#objects.has(idOf(old)) ? going : { kind: 'Status' };
    });
  }

  async raw<T>(_path: string): Promise<T> {
    return {
      resources: this.#resources.map(({ plural, kind, namespaced }) => ({ name: plural, kind, namespaced })),
    } as T;
  }

  async #write<T>(verb: Write, { kind }: Resource, name: string, how: string, carryOut: () => T): Promise<T> {
    const text = [verb, kind, name, how].filter(Boolean).join(' ');
    this.writes.push(text);
    const refusal = this.refuse(text);
    const answer = refusal && !refusal.after ? undefined : copied(carryOut());
    if (refusal) throw refusal.error;
    return answer as T;
  }

  #must(id: string): Held {
    const found = this.#objects.get(id);
    if (!found) throw new ApiError(404, { reason: 'NotFound', message: `${id} not found` });
    return found;
  }

  #store(object: Held, old: Held | undefined): Held {
    const same = JSON.stringify({ ...object, metadata: { ...object.metadata, managedFields: 0 } });
    if (old && same === JSON.stringify({ ...old, metadata: { ...old.metadata, managedFields: 0 } })) return old;
    const stored = copied(object);
    stored.metadata.resourceVersion = `${++this.#version}`;
    const gone = stored.metadata.deletionTimestamp !== undefined && !stored.metadata.finalizers?.length;
    if (gone) this.#objects.delete(idOf(stored));
    else this.#objects.set(idOf(stored), stored);
    const event = {
      type: gone ? ('DELETED' as const) : old ? ('MODIFIED' as const) : ('ADDED' as const),
      object: stored,
    };
    for (const { resource, onEvent } of this.#watches) {
      if (resource.kind === stored.kind && apiVersionOf(resource) === stored.apiVersion) {
        setImmediate(() => onEvent(copied(event)));
      }
    }
    return stored;
  }
}

/** The next generation of an object that has one, if a patch has changed its spec. */
function counted(object: Held & { spec?: object }, old: Held & { spec?: object }): Held {
  const { generation } = old.metadata;
  if (generation === undefined || JSON.stringify(object.spec) === JSON.stringify(old.spec)) return object;
  return { ...object, metadata: { ...object.metadata, generation: generation + 1 } };
}

/** As the wire would carry it. */
const copied = <T>(value: T): T => (value === undefined ? value : JSON.parse(JSON.stringify(value)));

const idOf = ({
  kind,
  metadata,
}: {
  kind: string;
  metadata: { namespace?: string | undefined; name: string };
}): string => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;

function check(old: Held, { uid, resourceVersion }: Partial<KubeObject['metadata']>, subresource?: 'status'): void {
  if (resourceVersion !== undefined && resourceVersion !== old.metadata.resourceVersion) {
    throw new ApiError(409, { reason: 'Conflict', message: 'the object has been modified' });
  }
  // The status subresource ignores a wrong uid: only the version guards it.
  if (!subresource && uid !== undefined && uid !== old.metadata.uid) throw new ApiError(409, { reason: 'Conflict' });
}

type Fields = { [field: string]: Fields };
interface Owner {
  manager: string;
  operation: 'Apply';
  fieldsV1: { 'f:status': Fields };
}

const ownersOf = ({ metadata }: Held): readonly Owner[] =>
  (metadata as { managedFields?: readonly Owner[] }).managedFields ?? [];

const owners = (old: Held, manager: string, status: Record<string, unknown>): object => ({
  managedFields: [
    ...ownersOf(old).filter((owner) => owner.manager !== manager),
    { manager, operation: 'Apply', fieldsV1: { 'f:status': fieldsOf(status) } },
  ],
});

const ownedFields = (old: Held, manager: string): Fields =>
  ownersOf(old).find((owner) => owner.manager === manager)?.fieldsV1['f:status'] ?? {};

/** Fields that several write parts of: a list-map by type, and a map. Everything else is one manager's whole. */
const isConditions = (field: string, value: unknown): value is { type: string }[] =>
  field === 'conditions' && Array.isArray(value);
const isCredit = (field: string, value: unknown): value is Record<string, unknown> =>
  field === 'credit' && typeof value === 'object';

function fieldsOf(status: Record<string, unknown>): Fields {
  const partsOf = (field: string, value: unknown): string[] => {
    if (isConditions(field, value)) return value.map(({ type }) => `k:${JSON.stringify({ type })}`);
    return isCredit(field, value) ? Object.keys(value).map((key) => `f:${key}`) : [];
  };
  return Object.fromEntries(
    Object.entries(status).map(([field, value]) => [
      `f:${field}`,
      Object.fromEntries(partsOf(field, value).map((part) => [part, {}])),
    ]),
  );
}

/** Fields of other managers stay; this manager's fields that are no longer sent are removed. */
function appliedStatus(old: Record<string, unknown>, owned: Fields, applied: Record<string, unknown>) {
  const status: Record<string, unknown> = {};
  for (const field of new Set([...Object.keys(old), ...Object.keys(applied)])) {
    const [was, is, mine] = [old[field], applied[field], owned[`f:${field}`]];
    if (isConditions(field, was ?? is)) {
      const wanted = (is ?? []) as { type: string }[];
      const others = ((was ?? []) as { type: string }[]).filter(
        ({ type }) => !mine?.[`k:${JSON.stringify({ type })}`] && !wanted.some((one) => one.type === type),
      );
      if (others.length + wanted.length > 0) status[field] = [...others, ...wanted];
    } else if (isCredit(field, was ?? is)) {
      const others = Object.entries((was ?? {}) as object).filter(([key]) => !mine?.[`f:${key}`]);
      const merged = { ...Object.fromEntries(others), ...(is as object | undefined) };
      if (Object.keys(merged).length > 0) status[field] = merged;
    } else if (is !== undefined) status[field] = is;
    else if (!mine) status[field] = was;
  }
  return status;
}

function stepped(object: Held, step: PatchStep): Held {
  const untrue = () => new ApiError(422, { reason: 'Invalid', message: `${step.op} ${step.path} failed` });
  const words = step.path
    .split('/')
    .slice(1)
    .map((word) => word.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = words.pop() ?? '';
  const place = words.reduce<unknown>((one, word) => (one as Record<string, unknown> | undefined)?.[word], object);
  const holder = place as Record<string, unknown> | undefined;
  const value = Array.isArray(holder) && last === '-' ? undefined : holder?.[last];
  if (step.op === 'test') {
    if (JSON.stringify(value ?? null) !== JSON.stringify(step.value)) throw untrue();
  } else if (holder === undefined || (step.op !== 'add' && value === undefined)) throw untrue();
  else if (step.op === 'remove') {
    if (Array.isArray(holder)) holder.splice(Number(last), 1);
    else delete holder[last];
  } else if (Array.isArray(holder) && step.op === 'add')
    holder.splice(last === '-' ? holder.length : Number(last), 0, step.value);
  else holder[last] = step.value;
  return object;
}

function merge(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const merged: Record<string, unknown> = { ...(target as object) };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = merge(merged[key], value);
  }
  return merged;
}
