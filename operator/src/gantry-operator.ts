// The operator as a process holds it: the library's init, start and stop around our runtime. It keeps the library's shape and
// event type; what the library would do on the cluster itself is replaced here (README.md lists which part is which).
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import kit, { type ResourceEvent, ResourceEventType, ResourceMetaImpl } from '@dot-i/k8s-operator';
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { ANNOTATION } from '@gantry/contract/names.ts';
import { isAbsent, isConflict } from '@gantry/kube/api-error.ts';
import { checkCluster, isUnreachable, KindsMissing } from '@gantry/kube/check-cluster.ts';
import { pause } from '@gantry/kube/clock.ts';
import type { Resource } from '@gantry/kube/resource.ts';
import type { Change } from '@gantry/kube/store.ts';
import type { V1CustomResourceDefinition } from '@kubernetes/client-node';
import { parse } from 'yaml';
import { type OperatorParts, Operator as Runtime } from './runtime/operator.ts';

export interface GantryOperatorParts extends OperatorParts {
  /** A folder with `<plural>.yaml` for each controller's kind, applied at every start. Absent: the cluster has them. */
  crds?: string;
  /** Runs once between init and the first list. */
  initialised?(): Promise<void>;
}

/** The library's event, plus what it lacks: the object's previous state, and who wrote it. */
export interface ObjectEvent extends ResourceEvent {
  change: Change;
  source: unknown;
}

/** Between two tries while the API server is not there yet. */
const RETRY_MS = 500;
/** The API server takes a moment to serve a kind that it was just given. */
const SERVED_WITHIN_MS = 30_000;

const CRD: Resource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
};

export class GantryOperator extends kit.default {
  readonly runtime: Runtime;
  readonly #parts: GantryOperatorParts;
  readonly #stop = new AbortController();

  /** The library reads the kubeconfig that KUBECONFIG names, for nothing that is used here. */
  constructor(parts: GantryOperatorParts) {
    super(parts.log);
    this.#parts = parts;
    this.runtime = new Runtime(parts);
  }

  /** Resolves once this operator leads and works. Rejects where the cluster lacks something that only a person can add. */
  override async start(): Promise<void> {
    await super.start();
    if (this.#stop.signal.aborted) return;
    await this.#parts.initialised?.();
    await this.runtime.start();
  }

  /** Ends running work, then releases the Lease. Never ends the process. Safe to call at any time. */
  override async stop(): Promise<void> {
    this.#stop.abort();
    await this.runtime.stop();
  }

  protected override async init(): Promise<void> {
    const { client, controllers, crds } = this.#parts;
    const kinds = controllers.map(({ facts }) => facts);
    for (const { plural } of crds === undefined ? [] : kinds) {
      await this.#patiently(() => this.registerCustomResourceDefinition(join(crds as string, `${plural}.yaml`)));
    }
    await this.#patiently(() => checkCluster(client, kinds));
    for (const { of, wake } of this.runtime.wakers) {
      const onEvent = async ({ change, source }: ObjectEvent) => wake(change, source);
      await this.watchResource(of.group, of.version, of.plural, onEvent, of.namespace, of.labelSelector, of);
    }
  }

  /**
   * Server-side apply: the library only creates, with arguments that our version of the client does not take. A CRD of a newer
   * version stays: an older operator may start beside the new one, and its schema would refuse and prune new fields.
   */
  protected override async registerCustomResourceDefinition(crdFile: string) {
    // Not by the client's loadYaml: it spells fields as its classes do, and loses x-kubernetes-validations.
    const crd: V1CustomResourceDefinition & KubeObject = parse(await readFile(crdFile, 'utf8'), { version: '1.1' });
    const { client } = this.#parts;
    const { metadata } = crd;
    const found = await client.get(CRD, undefined, metadata.name).catch((error: unknown) => {
      if (isAbsent(error)) return undefined;
      throw error;
    });
    if (isNewer(found, crd)) {
      this.logger.warn(`left the CustomResourceDefinition ${metadata.name}: a newer version of Gantry wrote it`);
    } else {
      // Refused if another operator has written since.
      const { resourceVersion } = found?.metadata ?? {};
      await client.apply(CRD, { ...crd, metadata: { ...metadata, ...(resourceVersion && { resourceVersion }) } });
      this.logger.info(`applied the CustomResourceDefinition ${metadata.name}`);
    }
    const { group, versions, names } = crd.spec;
    return { group, versions, plural: names.plural };
  }

  /** Reports every change that our informer of this resource sees: it outlives the faults that end the library's watch. */
  protected override async watchResource(
    group: string,
    version: string,
    plural: string,
    onEvent: (event: ObjectEvent) => Promise<void>,
    namespace?: string,
    labelSelector?: string,
    /** Two informers may follow one resource and keep different parts of it: texts alone do not tell them apart. */
    of?: Resource,
  ): Promise<void> {
    const asked = { group, version, plural, namespace, labelSelector };
    const followed = of ?? this.runtime.wakers.map((waker) => waker.of).find((resource) => isAsked(resource, asked));
    if (!followed) throw new Error(`no informer follows ${plural} as asked: name them among a controller's reads`);
    this.runtime.onChange(followed, (change, source) => {
      onEvent(eventOf(plural, change, source)).catch((err: unknown) =>
        this.#parts.log.error({ kind: followed.kind, err }, 'an event was not handled'),
      );
    });
  }

  /** Tries again until the API server answers. */
  async #patiently(step: () => Promise<unknown>): Promise<void> {
    const { clock, crds, log } = this.#parts;
    const { signal } = this.#stop;
    const began = clock.monotonic();
    while (!signal.aborted) {
      try {
        await step();
        return;
      } catch (error) {
        const isYetToCome = crds !== undefined && error instanceof KindsMissing;
        const isLate = clock.monotonic() - began >= SERVED_WITHIN_MS;
        if (!isUnreachable(error) && !isConflict(error) && (!isYetToCome || isLate)) throw error;
        log.warn({ why: (error as Error).message }, 'waiting for the API server');
        await pause(clock, RETRY_MS, signal);
      }
    }
  }
}

const versionOf = ({ metadata }: KubeObject): string => metadata.annotations?.[ANNOTATION.version] ?? '';

const isNewer = (found: KubeObject | undefined, own: KubeObject): boolean =>
  found !== undefined && versionOf(found).localeCompare(versionOf(own), 'en', { numeric: true }) > 0;

type Asked = { [Part in 'group' | 'version' | 'plural' | 'namespace' | 'labelSelector']: Resource[Part] | undefined };

const isAsked = (resource: Resource, asked: Asked): boolean =>
  (Object.keys(asked) as (keyof Asked)[]).every((part) => resource[part] === asked[part]);

function eventOf(plural: string, change: Change, source: unknown): ObjectEvent {
  const { before, after } = change;
  // The client's types say Date where the wire, and so our objects, have strings.
  const object = (after ?? before) as unknown as ResourceEvent['object'];
  const { Added, Modified, Deleted } = ResourceEventType;
  const type = after === undefined ? Deleted : before === undefined ? Added : Modified;
  return { type, object, meta: ResourceMetaImpl.createWithPlural(plural, object), change, source };
}
