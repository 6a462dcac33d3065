// Writes any kind as the calling member: the API server enforces their rights, their quota and the policies. Its answer is in the
// cache before the caller hears of it. A write is repeated only if that cannot apply it twice.
import { createHash } from 'node:crypto';
import { API_VERSION, canDo, type KindFacts, type KubeObject, type ObjectMeta } from '@gantry/contract/define-kind.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { closedBecause, type Organization, organization } from '@gantry/contract/kinds/organization.ts';
import { FINALIZER, organizationOf, REQUEST_ANNOTATION } from '@gantry/contract/names.ts';
import { viewOf } from '@gantry/contract/view.ts';
import { isAbsent, isAmbiguous, isConflict, isTaken } from '@gantry/kube/api-error.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import { resourceOf, targetOf } from '@gantry/kube/resource.ts';
import { newId } from '../../platform/ids.ts';
import { isApplied } from '../../platform/kube/is-applied.ts';
import { problemOf } from '../../platform/kube/refusals.ts';
import type { WatchCache } from '../../platform/kube/watch-cache.ts';
import type { KindReads, Reader } from './kind-reads.ts';
import { hooksOf, type Options } from './kinds/hooks.ts';

/** The writer: a member of the organisation, by the ServiceAccount of that membership. */
export interface Writer extends Reader {
  account: string;
  /** Speaks to the API server as this user instead: staff, who are no members. */
  user?: string;
}

/** A patch that somebody has made. */
export interface MadeChange {
  before: KubeObject;
  after: KubeObject;
  /** Undefined: the platform's staff. */
  account: string | undefined;
}

export interface ChangeNotes {
  note(change: MadeChange): Promise<void>;
  /** Is told of a change that could not be noted; it must not throw. */
  failed(error: unknown, change: MadeChange): void;
}

/** The client's Idempotency-Key and the route: the same pair yields the same object, even after a crash. */
export interface RequestKey {
  route: string;
  key: string | undefined;
}

export type MemberClient = Pick<KubeClient, 'get' | 'create' | 'mergePatch' | 'delete'>;

export interface KindWritesParts {
  cache: WatchCache;
  reads: KindReads;
  client: { as(user: string): MemberClient };
}

type Body = { spec?: Record<string, unknown>; metadata?: Record<string, unknown> };

const MOST_TRIES = 8;
const ID_LENGTH = 8;

export class KindWrites {
  readonly #cache: WatchCache;
  readonly #reads: KindReads;
  readonly #client: KindWritesParts['client'];

  #isBilled = false;
  #notes: ChangeNotes | undefined;

  constructor({ cache, reads, client }: KindWritesParts) {
    this.#cache = cache;
    this.#reads = reads;
    this.#client = client;
  }

  /** Whether the same key has made one before, and it is there. */
  isMade(facts: KindFacts, writer: Writer, request: RequestKey): boolean {
    if (request.key === undefined) return false;
    return this.#cache.get(facts, writer.namespace, idFor(facts.idPrefix, writer, request)) !== undefined;
  }

  /** From now on what costs is made with billing's finalizer, which spares billing a write. */
  bill(): void {
    this.#isBilled = true;
  }

  /** From now on every patch is noted before it is answered. Where that fails, the patch is made all the same. */
  noteChangesBy(notes: ChangeNotes): void {
    this.#notes = notes;
  }

  /** Makes one; with a key, the one that the same key has made before. */
  async create(
    facts: KindFacts,
    writer: Writer,
    specOf: object | ((id: string) => object),
    request: RequestKey,
  ): Promise<KubeObject> {
    const client = this.#as(writer);
    const resource = resourceOf(facts);
    // Chosen before the first attempt, so that a second one cannot create a second object.
    let id = idFor(facts.idPrefix, writer, request);
    // A try without an answer may have made it.
    let isDoubtful = false;
    for (;;) {
      const wanted = typeof specOf === 'function' ? (specOf as (id: string) => object)(id) : specOf;
      const spec = { ...wanted, creator: writer.account };
      const object = { apiVersion: API_VERSION, kind: facts.kind, metadata: this.#metadata(facts, writer, id), spec };
      try {
        return this.#seen(await client.create(resource, object as KubeObject, { fieldValidation: 'Strict' }));
      } catch (error) {
        const isOurs = request.key !== undefined || isDoubtful;
        if (isTaken(error) && isOurs) return this.#made(facts, writer, id, spec);
        if (isTaken(error)) {
          id = newId(facts.idPrefix);
          continue;
        }
        if (!isAmbiguous(error) || isDoubtful) throw this.#problem(error, writer, id);
        // Asked again by the same name, it is found or made, never doubled.
        isDoubtful = true;
      }
    }
  }

  #metadata({ cost }: KindFacts, { namespace }: Writer, name: string): ObjectMeta {
    return { name, namespace, ...(this.#isBilled && cost && { finalizers: [FINALIZER.billing] }) };
  }

  /** Sets the given fields; null removes an optional field. `check` throws if something prevents it. */
  change<T extends KubeObject>(
    facts: KindFacts,
    writer: Writer,
    id: string,
    spec: Record<string, unknown> | ((object: T) => Record<string, unknown>),
    check: (object: T) => void = () => {},
  ): Promise<KubeObject> {
    return this.#patch<T>(facts, writer, id, (object) => {
      this.mustBePossible(facts, object, 'edit', writer);
      check(object);
      return { spec: typeof spec === 'function' ? spec(object) : spec };
    });
  }

  /** Carries a command out that is a patch. `spec` goes over what the row says, for commands that carry a number. */
  act(
    facts: KindFacts,
    writer: Writer,
    id: string,
    action: string,
    request: RequestKey,
    spec: (object: KubeObject) => Record<string, unknown> = () => ({}),
    check: (object: KubeObject) => void = () => {},
  ): Promise<KubeObject> {
    const does = facts.actions[action]?.does;
    if (typeof does !== 'function') throw new Error(`${action} of ${facts.kind} is not a patch`);
    const mark = request.key === undefined ? undefined : digest(writer, request).toString('base64url').slice(0, 22);
    return this.#patch(facts, writer, id, (object) => {
      if (mark !== undefined && object.metadata.annotations?.[REQUEST_ANNOTATION] === mark) return undefined;
      this.mustBePossible(facts, object, action, writer);
      check(object);
      return {
        spec: { ...does(object).spec, ...spec(object) },
        ...(mark !== undefined && { metadata: { annotations: { [REQUEST_ANNOTATION]: mark } } }),
      };
    });
  }

  /** Sets annotations, whatever state the object is in; null takes one away. */
  annotate(
    facts: KindFacts,
    writer: Writer,
    id: string,
    annotations: Readonly<Record<string, string | null>>,
  ): Promise<KubeObject> {
    return this.#patch(facts, writer, id, ({ metadata }) =>
      Object.entries(annotations).every(([key, value]) => (metadata.annotations?.[key] ?? null) === value)
        ? undefined
        : { metadata: { annotations } },
    );
  }

  /** Deletes it; an object that is being deleted stays so. Returns the object while something still holds it. */
  async remove(facts: KindFacts, writer: Writer, id: string, options: Options): Promise<KubeObject | undefined> {
    const object = this.#own(facts, writer, id);
    if (object.metadata.deletionTimestamp !== undefined) return object;
    if (!canDo(facts, 'release', object)) {
      hooksOf(facts).checkRemoval?.(object, this.#cache);
      this.mustBePossible(facts, object, 'release', writer);
    }
    const annotations = hooksOf(facts).beforeDelete?.(object, options);
    if (annotations)
      await this.#patch(facts, writer, id, ({ metadata }) =>
        isApplied(metadata.annotations, annotations) ? undefined : { metadata: { annotations } },
      );
    try {
      const answer = await this.#as(writer).delete(resourceOf(facts), targetOf(object));
      if (isObject(answer)) return this.#seen(answer);
    } catch (error) {
      if (!isAbsent(error)) throw this.#problem(error, writer, id);
    }
    this.#cache.forget(object);
    return undefined;
  }

  /** Throws action_not_allowed, in the caller's words, where `canDo` says no, or what the kind's own hook says. */
  mustBePossible(facts: KindFacts, object: KubeObject, action: string, { language, role }: Writer): void {
    if (canDo(facts, action, object)) return;
    hooksOf(facts).checkCommand?.(action, object);
    const row = facts.actions[action];
    const phaseWord = (phase: string) => facts.phases[phase]?.[language] ?? phase;
    throw problem('action_not_allowed', {
      action: row?.[language] ?? action,
      phase: viewOf(facts, object, language, role).phaseLabel,
      from: (row?.from ?? []).map(phaseWord).join(', '),
    });
  }

  /** Decides on the current object, and writes only onto that version: a concurrent change makes it decide again. */
  async #patch<T extends KubeObject>(
    facts: KindFacts,
    writer: Writer,
    id: string,
    decide: (object: T) => Body | undefined,
  ): Promise<KubeObject> {
    const client = this.#as(writer);
    const resource = resourceOf(facts);
    let object = this.#own<T>(facts, writer, id);
    let doubtful: Body | undefined;
    for (let tries = 1; ; tries++) {
      if (doubtful && isApplied(object, doubtful)) return object;
      const wish = decide(object);
      if (!wish) return object;
      const body = withExtra(facts, writer, object, wish);
      let after: KubeObject;
      try {
        const { resourceVersion = '' } = object.metadata;
        const patch = { ...targetOf(object), resourceVersion, body };
        after = this.#seen(await client.mergePatch(resource, patch, undefined, { fieldValidation: 'Strict' }));
      } catch (error) {
        const again = tries < MOST_TRIES && (isConflict(error) || (isAmbiguous(error) && doubtful === undefined));
        if (!again) throw this.#problem(error, writer, id);
        // Without an answer it may have been applied; then the object contains the requested fields.
        if (!isConflict(error)) doubtful = body;
        object = (await this.#look(client, facts, writer, id)) as T;
        continue;
      }
      await this.#noted({ before: object, after, account: writer.user ? undefined : writer.account });
      return after;
    }
  }

  async #noted(change: MadeChange): Promise<void> {
    try {
      await this.#notes?.note(change);
    } catch (error) {
      this.#notes?.failed(error, change);
    }
  }

  #problem(error: unknown, { namespace, language }: Writer, id: string): unknown {
    const own = () => this.#cache.get<Organization>(organization, undefined, organizationOf(namespace) ?? '');
    return problemOf(error, { id, language, closed: () => closedBecause(own() ?? {}) });
  }

  async #look(client: MemberClient, facts: KindFacts, writer: Writer, id: string): Promise<KubeObject> {
    try {
      return this.#seen(await client.get(resourceOf(facts), writer.namespace, id));
    } catch (error) {
      throw this.#problem(error, writer, id);
    }
  }

  /**
   * The object that an earlier attempt created: the name is ours, so it is nobody else's. A different request under the same key
   * is refused.
   */
  async #made(facts: KindFacts, writer: Writer, id: string, spec: object): Promise<KubeObject> {
    const object = await this.#look(this.#as(writer), facts, writer, id);
    if (!isApplied(object, { spec })) throw problem('idempotency_mismatch', {}, { field: 'Idempotency-Key' });
    return object;
  }

  #own<T extends KubeObject>(facts: KindFacts, { namespace }: Writer, id: string): T {
    const object = this.#reads.find<T>(facts, namespace, id);
    if (object.metadata.namespace === namespace) return object;
    throw hooksOf(facts).offeredRefusal?.(object) ?? problem('not_found', { what: id });
  }

  #as({ namespace, account, user = `system:serviceaccount:${namespace}:${account}` }: Writer): MemberClient {
    return this.#client.as(user);
  }

  #seen(object: KubeObject): KubeObject {
    this.#cache.observe(object);
    return object;
  }
}

function withExtra(facts: KindFacts, { account }: Writer, object: KubeObject, body: Body): Body {
  const added = hooksOf(facts).extraPatch?.(object, body.spec ?? {}, account);
  return added ? { ...body, spec: { ...body.spec, ...added } } : body;
}

const isObject = (answer: { metadata?: ObjectMeta } | object): answer is KubeObject =>
  (answer as Partial<KubeObject>).metadata?.uid !== undefined;

/** Random, or derived from the caller and their key. */
function idFor(prefix: string, writer: Writer, request: RequestKey): string {
  if (request.key === undefined) return newId(prefix);
  const number = digest(writer, request).readBigUInt64BE(0) % 36n ** BigInt(ID_LENGTH);
  return `${prefix}-${number.toString(36).padStart(ID_LENGTH, '0')}`;
}

const digest = ({ account, namespace }: Writer, { route, key }: RequestKey): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([account, namespace, route, key]))
    .digest();
