// The cluster's part of a backup: the specs of all organisations, that is every object of our kinds that we did not create
// ourselves.
import { setTimeout as sleep } from 'node:timers/promises';
import { API_VERSION, type KindFacts, type KubeObject } from '@gantry/contract/define-kind.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { ANNOTATION } from '@gantry/contract/names.ts';
import { isAbsent, isTaken } from '@gantry/kube/api-error.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import { resourceOf } from '@gantry/kube/resource.ts';

type Cluster = Pick<KubeClient, 'list' | 'create'>;

const AT_ONCE = 500;
const NAMESPACE_LIMIT_MS = 120_000;
const AGAIN_IN_MS = 250;

/** Organisations first: their namespaces hold all others. */
const FACTS: readonly KindFacts[] = Object.values<KindFacts>(KINDS).sort(
  (a, b) => Number(a.scope !== 'Cluster') - Number(b.scope !== 'Cluster'),
);

export async function* readObjects(cluster: Cluster): AsyncGenerator<KubeObject> {
  for (const facts of FACTS) {
    let next: string | undefined;
    do {
      const page = await cluster.list(resourceOf(facts), { limit: AT_ONCE, ...(next && { continue: next }) });
      // A list leaves out what each of its items is.
      for (const item of page.items) {
        const object = { ...item, apiVersion: API_VERSION, kind: facts.kind };
        if (isWish(object)) yield object;
      }
      next = page.metadata.continue || undefined;
    } while (next);
  }
}

/** Neither on its way out nor made by a controller, which makes it again. */
const isWish = ({ metadata }: KubeObject): boolean =>
  metadata.deletionTimestamp === undefined && !metadata.ownerReferences?.some(({ controller }) => controller);

export interface Restored {
  made: number;
  /** Left as it is. */
  alreadyThere: number;
}

export async function restoreObject(cluster: Cluster, object: KubeObject, restored: Restored): Promise<void> {
  const facts = FACTS.find(({ kind }) => kind === object.kind);
  if (!facts) throw new Error(`the backup holds a ${object.kind}, a kind that this version of Gantry does not have`);
  const by = performance.now() + NAMESPACE_LIMIT_MS;
  for (;;) {
    try {
      await cluster.create(resourceOf(facts), wishOf(object));
      restored.made++;
      return;
    } catch (error) {
      if (isTaken(error)) {
        restored.alreadyThere++;
        return;
      }
      const { namespace, name } = object.metadata;
      if (!isAbsent(error))
        throw new Error(`${object.kind} ${namespace ?? ''}/${name} is refused: ${(error as Error).message}`, {
          cause: error,
        });
      if (performance.now() > by)
        throw new Error(`namespace ${namespace} does not come: is the operator running?`, { cause: error });
    }
    // The operator makes it for the organisation that was restored before.
    await sleep(AGAIN_IN_MS);
  }
}

/** The fields that a person wrote, without status and without bookkeeping of the server and controllers. */
function wishOf({
  apiVersion,
  kind,
  metadata,
  ...rest
}: KubeObject & { spec?: unknown; status?: unknown }): KubeObject {
  const { name, namespace, labels, annotations } = metadata;
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      ...(labels && { labels }),
      ...(annotations && { annotations: withoutBookkeeping(annotations) }),
    },
    ...(rest.spec !== undefined && { spec: rest.spec }),
  };
}

/** Bookkeeping of staff and controllers belongs to the old object; only `paused` is a person's request. */
const withoutBookkeeping = (annotations: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(annotations).filter(
      ([name]) => name === ANNOTATION.paused || !/^([^/]+\.)?(gantry\.dev|kubernetes\.io)\//.test(name),
    ),
  );
