// The provisioner of the storage class `gantry-disk`, a process of the host. On a real node a volume is a file system of
// its size; on a simulated one it is an object without contents.
import type { ObjectCache, V1PersistentVolume, V1PersistentVolumeClaim } from '@kubernetes/client-node';
import { callApi, mustCallApi } from '../api-call.ts';
import { type Layout, layout, MAX_NODES, type NodeLayout } from '../layout.ts';
import { watchObjects } from '../watch-objects.ts';
import { growVolume, makeVolume, mountPoint, mountVolume, removeVolume, volumesOnDisk } from './disk-volume.ts';
import { KeyedQueue } from './keyed-queue.ts';
import { desiredVolume, isOurs, planVolume, type VolumePlan, volumeName } from './plan-volume.ts';

const WORKERS = 32;
const VOLUMES = '/api/v1/persistentvolumes';
const CLAIMS = '/api/v1/persistentvolumeclaims';

class Provisioner {
  readonly #cluster: Layout;
  readonly #realNodes: ReadonlyMap<string, NodeLayout>;
  readonly #claims = new Map<string, V1PersistentVolumeClaim>();
  readonly #mounted = new Set<string>();
  #volumes: ObjectCache<V1PersistentVolume> | undefined;
  readonly #queue = new KeyedQueue({
    workers: WORKERS,
    work: (name) => this.#work(name),
    failed: (name, error) => this.#report(name, error),
  });

  constructor(cluster: Layout) {
    this.#cluster = cluster;
    this.#realNodes = new Map(cluster.nodes.map((node) => [node.name, node]));
  }

  async start(): Promise<void> {
    const early = new Set<string>();
    // Nothing is decided before both lists are in: a claim without its volume would look unprovisioned.
    let add = (name: string): void => void early.add(name);
    const claims = await watchObjects<V1PersistentVolumeClaim>(this.#cluster, CLAIMS, (claim) => {
      const name = volumeName(claim.metadata?.uid ?? '');
      if (isGone(claims, claim)) this.#claims.delete(name);
      else this.#claims.set(name, claim);
      add(name);
    });
    this.#volumes = await watchObjects<V1PersistentVolume>(this.#cluster, VOLUMES, (volume) => {
      if (isOurs(volume)) add(volume.metadata?.name ?? '');
    });
    for (const node of this.#realNodes.values()) for (const name of await volumesOnDisk(node)) early.add(name);
    add = (name) => this.#queue.add(name);
    for (const name of early) add(name);
  }
}
