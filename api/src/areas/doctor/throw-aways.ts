// Objects that checks make on the cluster and remove again, whatever their result: each carries the label of its run and is in one
// namespace. Objects that an earlier run left, because it was killed, go too.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { NO_CARDS } from '@gantry/contract/gpu-access.ts';
import { DOCTOR_NAMESPACE, LABEL } from '@gantry/contract/names.ts';
import { isAbsent, isTaken } from '@gantry/kube/api-error.ts';
import { type Clock, pause } from '@gantry/kube/clock.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { coreResource, type Resource, targetOf } from '@gantry/kube/resource.ts';
import type { DoctorClient } from './check.ts';

const NAMESPACE = coreResource('namespaces', 'Namespace', false);
export const POD: Resource = { ...coreResource('pods', 'Pod'), namespace: DOCTOR_NAMESPACE };
export const CLAIM: Resource = {
  ...coreResource('persistentvolumeclaims', 'PersistentVolumeClaim'),
  namespace: DOCTOR_NAMESPACE,
};
export const NETWORK_POLICY: Resource = {
  group: 'networking.k8s.io',
  version: 'v1',
  plural: 'networkpolicies',
  kind: 'NetworkPolicy',
  namespaced: true,
  namespace: DOCTOR_NAMESPACE,
};
/** Pods first: they hold claims. */
const MADE = [POD, NETWORK_POLICY, CLAIM];

/** The kubelet ends a Pod after it, whoever else has died. */
const POD_LIFE_SECONDS = 240;
/** Older ones belong to no run any more. */
const REMAINS_MS = 2 * POD_LIFE_SECONDS * 1000;
const GONE_MS = 30_000;
const LOOK_MS = 500;
/** Marks a namespace that a check made where the platform is not installed. */
const THROW_AWAY = `${LABEL.managed}-by-doctor`;

export class ThrowAways {
  readonly #client: DoctorClient;
  readonly #clock: Clock;
  /** Part of every name. */
  readonly run: string;
  readonly #makesNamespace: boolean;
  #ready: Promise<void> | undefined;
  #isOver = false;

  constructor(parts: { client: DoctorClient; clock: Clock; run: string; makesNamespace: boolean }) {
    this.#client = parts.client;
    this.#clock = parts.clock;
    this.run = parts.run;
    this.#makesNamespace = parts.makesNamespace;
  }

  async make(resource: Resource, object: KubeObject): Promise<KubeObject> {
    this.#ready ??= this.#prepare();
    await this.#ready;
    if (this.#isOver) throw new Error('the checks are over');
    const labels = { ...object.metadata.labels, [LABEL.run]: this.run };
    return this.#client.create(resource, {
      ...object,
      metadata: { ...object.metadata, namespace: DOCTOR_NAMESPACE, labels },
    });
  }

  async pod(name: string): Promise<Pod> {
    return (await this.#client.get(POD, DOCTOR_NAMESPACE, name)) as Pod;
  }

  /** Looks at a Pod until it is as wished. Rejects at the signal. */
  async whenPod(name: string, is: (pod: Pod) => boolean, signal: AbortSignal): Promise<Pod> {
    for (;;) {
      signal.throwIfAborted();
      const pod = await this.pod(name);
      if (is(pod)) return pod;
      await pause(this.#clock, LOOK_MS, signal);
    }
  }

  async log(name: string, signal: AbortSignal): Promise<string> {
    const answer = await this.#client.stream(
      POD,
      { namespace: DOCTOR_NAMESPACE, name },
      'log',
      { tailLines: 5, limitBytes: 4096 },
      { limitMs: 10_000, signal },
    );
    return (await answer.setEncoding('utf8').toArray()).join('');
  }

  /** Takes everything away that this run, or a dead one, made. Resolves with the names of what would not go. */
  async end(): Promise<string[]> {
    this.#isOver = true;
    if (!this.#ready) return [];
    const isOurs = ({ metadata }: KubeObject) =>
      metadata.labels?.[LABEL.run] === this.run ||
      this.#clock.now() - Date.parse(`${metadata.creationTimestamp}`) > REMAINS_MS;
    const until = this.#clock.monotonic() + GONE_MS;
    let left: string[] = [];
    for (;;) {
      left = (await Promise.all(MADE.map((resource) => this.#remove(resource, isOurs)))).flat();
      if (left.length === 0 || this.#clock.monotonic() > until) break;
      await pause(this.#clock, LOOK_MS, new AbortController().signal);
    }
    if (this.#makesNamespace) await this.#removeNamespace();
    return left;
  }

  async #remove(resource: Resource, isOurs: (object: KubeObject) => boolean): Promise<string[]> {
    const { items } = await this.#client.list(resource, { labelSelector: LABEL.run });
    const ours = items.filter(isOurs);
    await Promise.all(
      ours.map((object) => {
        const target = targetOf({ ...object, apiVersion: '', kind: resource.kind });
        return this.#client.delete(resource, { ...target, gracePeriodSeconds: 0 }).catch(unlessAbsent);
      }),
    );
    return ours.map(({ metadata }) => `${resource.kind} ${metadata.name}`);
  }

  async #prepare(): Promise<void> {
    if (!this.#makesNamespace) return;
    const labels = { [THROW_AWAY]: 'true', 'pod-security.kubernetes.io/enforce': 'restricted' };
    await this.#client
      .create(NAMESPACE, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: DOCTOR_NAMESPACE, labels } })
      .catch((error: unknown) => {
        if (!isTaken(error)) throw error;
      });
    await this.#whenAccountIsThere();
  }

  /** A Pod is refused until its namespace has an account for it. */
  async #whenAccountIsThere(): Promise<void> {
    const until = this.#clock.monotonic() + GONE_MS;
    for (;;) {
      const account = await this.#client
        .get(coreResource('serviceaccounts', 'ServiceAccount'), DOCTOR_NAMESPACE, 'default')
        .catch(unlessAbsent);
      if (account) return;
      if (this.#clock.monotonic() > until) throw new Error(`the namespace ${DOCTOR_NAMESPACE} got no account`);
      await pause(this.#clock, LOOK_MS, new AbortController().signal);
    }
  }

  /** Only one that a check made: the platform's own stays. */
  async #removeNamespace(): Promise<void> {
    const namespace = await this.#client.get(NAMESPACE, undefined, DOCTOR_NAMESPACE).catch(unlessAbsent);
    if (namespace?.metadata.labels?.[THROW_AWAY] !== 'true') return;
    await this.#client.delete(NAMESPACE, targetOf({ ...namespace, apiVersion: 'v1', kind: 'Namespace' }));
  }
}

function unlessAbsent(error: unknown): undefined {
  if (!isAbsent(error)) throw error;
}

/** A Pod that is allowed nothing and ends by itself; on one node where one is named, whatever else keeps Pods off that. */
export function throwAwayPod(parts: {
  name: string;
  image: string;
  script: string;
  labels?: Record<string, string>;
  node?: string | undefined;
  claim?: string;
  pulls?: boolean;
  env?: readonly { name: string; value: string }[];
}): Pod {
  const { name, image, script, labels = {}, node, claim, pulls = false, env = [NO_CARDS] } = parts;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels },
    spec: {
      restartPolicy: 'Never',
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      activeDeadlineSeconds: POD_LIFE_SECONDS,
      terminationGracePeriodSeconds: 1,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 65534,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      ...(node !== undefined && {
        tolerations: [{ operator: 'Exists' }],
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In' as const, values: [node] }] }],
            },
          },
        },
      }),
      containers: [
        {
          name: 'look',
          image,
          imagePullPolicy: pulls ? 'Always' : 'IfNotPresent',
          command: ['sh', '-c', script],
          env: [...env],
          resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { cpu: '100m', memory: '32Mi' } },
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
          ...(claim !== undefined && { volumeMounts: [{ name: 'disk', mountPath: '/disk' }] }),
        },
      ],
      ...(claim !== undefined && { volumes: [{ name: 'disk', persistentVolumeClaim: { claimName: claim } }] }),
    },
  };
}

/** Why its container does not run: a sentence of the kubelet's or the scheduler's. */
export function whyNot({ status }: Pod): string {
  const waiting = status?.containerStatuses?.[0]?.state?.waiting;
  if (waiting) return [waiting.reason, waiting.message].filter(Boolean).join(': ');
  const unscheduled = status?.conditions?.find(({ type, status: is }) => type === 'PodScheduled' && is !== 'True');
  return unscheduled?.message ?? status?.message ?? `the Pod is ${status?.phase ?? 'not known yet'}`;
}

/** The last output of its container, once it has ended. */
export const lastWords = ({ status }: Pod): string | undefined => {
  const ended = status?.containerStatuses?.[0]?.state?.terminated;
  return ended && (ended.message ?? '');
};

const PULL_FAILURES = new Set(['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'RegistryUnavailable']);
export const cannotPull = ({ status }: Pod): boolean =>
  PULL_FAILURES.has(status?.containerStatuses?.[0]?.state?.waiting?.reason ?? '');

export const isRunning = ({ status }: Pod): boolean =>
  status?.containerStatuses?.[0]?.state?.running !== undefined && status.podIP !== undefined;
