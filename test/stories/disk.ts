// One DataDisk of a story: its spec, its states, and plain Pods that mount it.
import type { DataDisk, DataDiskStatus } from '@gantry/contract/kinds/data-disk.ts';
import { mustCallApi } from '../../hack/api-call.ts';
import type { Following } from './following.ts';
import type { Stage, Tenant } from './stage.ts';

const PATIENCE_MS = 120_000;
export const DISKS = '/apis/gantry.dev/v1alpha1/datadisks';

export type SeenDisk = DataDisk & { readonly status: DataDiskStatus };

export class Disk {
  readonly namespace: string;
  readonly name: string;
  readonly #stage: Stage;
  readonly #following: Following<DataDisk>;
  /** The generation of the last change: an older status says nothing about it. */
  #generation = 1;

  private constructor(stage: Stage, following: Following<DataDisk>, namespace: string, name: string) {
    this.#stage = stage;
    this.#following = following;
    this.namespace = namespace;
    this.name = name;
  }

  /** Made by the platform's staff. */
  static async made(
    stage: Stage,
    following: Following<DataDisk>,
    tenant: Tenant,
    name: string,
    spec: Partial<DataDisk['spec']> = {},
  ): Promise<Disk> {
    const { namespace } = tenant;
    const body = {
      apiVersion: 'gantry.dev/v1alpha1',
      kind: 'DataDisk',
      metadata: { name, namespace },
      spec: { sizeGi: 1, ...spec },
    };
    const disk = new Disk(stage, following, namespace, name);
    await mustCallApi(stage.cluster, {
      method: 'POST',
      path: `/apis/gantry.dev/v1alpha1/namespaces/${namespace}/datadisks`,
      body,
    });
    await following.until(
      () => `disk ${name} is there`,
      () => following.latest(namespace, name),
      PATIENCE_MS,
    );
    return disk;
  }

  get path(): string {
    return `/apis/gantry.dev/v1alpha1/namespaces/${this.namespace}/datadisks/${this.name}`;
  }

  get now(): SeenDisk {
    const object = this.#following.latest(this.namespace, this.name);
    if (!object) throw new Error(`disk ${this.name} is not there`);
    return object as SeenDisk;
  }

  /** As it was seen last, gone or not. */
  get last(): SeenDisk {
    return this.#following.states(this.namespace, this.name).at(-1)?.object as SeenDisk;
  }

  /** The latest generation. */
  get generation(): number {
    return Math.max(this.#generation, this.now.metadata.generation ?? 0);
  }

  get claimName(): string {
    return `${this.name}-disk`;
  }

  /** As it is now or will be, the latest wish known in it. */
  becomes(what: string, is: (seen: SeenDisk) => boolean, limitMs = PATIENCE_MS): Promise<SeenDisk> {
    const look = () => {
      const seen = this.#following.latest(this.namespace, this.name) as SeenDisk | undefined;
      const knows = seen?.status?.observedGeneration === seen?.metadata.generation;
      return seen && knows && (seen.metadata.generation ?? 0) >= this.#generation && is(seen) ? seen : undefined;
    };
    const story = () => `disk ${this.name} is ${what}; ${JSON.stringify(this.last?.status)}`;
    return this.#following.until(story, look, limitMs);
  }

  /** A condition has this status and reason. */
  says(type: string, status: string, reason: string, limitMs = PATIENCE_MS): Promise<SeenDisk> {
    const is = (seen: SeenDisk) => {
      const found = seen.status.conditions?.find((one) => one.type === type);
      return found?.status === status && found.reason === reason;
    };
    return this.becomes(`${type} ${status} ${reason}`, is, limitMs);
  }

  async isGone(limitMs = PATIENCE_MS): Promise<void> {
    const gone = () => this.#following.states(this.namespace, this.name).at(-1)?.isLast || undefined;
    await this.#following.until(() => `disk ${this.name} is gone; ${JSON.stringify(this.last?.status)}`, gone, limitMs);
  }

  async wish(spec: object): Promise<void> {
    const call = {
      method: 'PATCH',
      path: this.path,
      contentType: 'application/merge-patch+json',
      body: { spec },
    } as const;
    const answer: DataDisk = JSON.parse((await mustCallApi(this.#stage.cluster, call)).body);
    this.#generation = answer.metadata.generation ?? 0;
  }

  /** A Pod beside the product's own, that mounts the disk at /data; Ready when it resolves. */
  async mountedIn(pod: string): Promise<void> {
    const { kubectl } = this.#stage;
    await kubectl.must(['create', '-f', '-'], {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: pod, namespace: this.namespace },
      spec: {
        terminationGracePeriodSeconds: 0,
        containers: [
          {
            name: 'main',
            image: 'registry.gantry.internal/official/busybox:1.36',
            command: ['sleep', '3600'],
            volumeMounts: [{ name: 'disk', mountPath: '/data' }],
          },
        ],
        volumes: [{ name: 'disk', persistentVolumeClaim: { claimName: this.claimName } }],
      },
    });
    await this.inNamespace('wait', '--for=condition=Ready', `--timeout=${PATIENCE_MS / 1000}s`, `pod/${pod}`);
  }

  /** A line of shell in such a Pod. */
  async sh(pod: string, line: string): Promise<string> {
    return (await this.inNamespace('exec', pod, '-c', 'main', '--', 'sh', '-c', line)).trim();
  }

  inNamespace(...args: string[]): Promise<string> {
    return this.#stage.kubectl.must(['--namespace', this.namespace, ...args]);
  }
}
