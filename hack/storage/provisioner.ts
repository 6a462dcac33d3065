// The provisioner of storage class `gantry-disk`, a process of the host. On a real node a volume is a file system of its
// size; on a simulated one it is an object without contents.
// usage: provisioner.ts <cluster>
import { quantity } from '@gantry/contract/fields/quantity.ts';
import type { V1PersistentVolume, V1PersistentVolumeClaim } from '@kubernetes/client-node';
import { mustCallApi } from '../api-call.ts';
import { KeyedQueue } from '../keyed-queue.ts';
import { type Layout, layout, MAX_NODES, type NodeLayout } from '../layout.ts';
import { watchObjects } from '../watch-objects.ts';
import { growVolume, makeVolume, mountPoint, mountVolume, removeVolume, volumesOnDisk } from './disk-volume.ts';
import { desiredVolume, isOurs, nodeOf, PROVISIONER, planVolume, volumeName } from './plan-volume.ts';

/** Whole bytes, and never fewer than were asked for. */
const bytes = (size: string) => Math.ceil(quantity(size));

const VOLUMES = '/api/v1/persistentvolumes';
const CLAIMS = '/api/v1/persistentvolumeclaims';
const WORKERS = 32;
const CONFLICT = 409;
const NOT_FOUND = 404;

type Claim = V1PersistentVolumeClaim;
type Volume = V1PersistentVolume;

async function provision(cluster: Layout): Promise<void> {
  const queue = new KeyedQueue({
    workers: WORKERS,
    work: (name) => work(name),
    failed: (name, error) => {
      const message = error instanceof Error ? error.message : String(error);
      console.error(`${name}: ${message}`);
      const claim = claims.get(name);
      if (claim) void report(cluster, claim, message);
    },
  });
  const changed = (name: string) => queue.add(name);
  const claims = await watchObjects<Claim>(cluster, CLAIMS, { keyOf: volumeName, changed });
  const volumes = await watchObjects<Volume>(cluster, VOLUMES, {
    keyOf: ({ metadata }) => metadata?.name ?? '',
    changed,
  });
  for (const node of cluster.nodes) for (const name of await volumesOnDisk(node)) queue.add(name);

  const work = async (name: string) => {
    const [claim, volume] = [claims.get(name), volumes.get(name)];
    if (volume && !isOurs(volume)) return;
    await carryOut(cluster, name, claim, volume);
  };
  // Only now: a claim whose volume is not listed yet would look as if it had none.
  queue.start();
}

async function carryOut(cluster: Layout, name: string, claim?: Claim, volume?: Volume): Promise<void> {
  const plan = planVolume(claim, volume);
  const realNode = (node: string): NodeLayout | undefined => cluster.nodes.find((real) => real.name === node);
  switch (plan.do) {
    case 'nothing':
      return;
    case 'refuse':
      return claim && report(cluster, claim, plan.why);
    case 'provision': {
      if (!claim) return;
      const node = realNode(plan.node);
      if (node) await makeVolume(node, name, bytes(plan.size));
      const path = node ? mountPoint(node, name) : `/simulated/${name}`;
      await mustCallApi(cluster, { method: 'POST', path: VOLUMES, body: desiredVolume(claim, { ...plan, path }) }, [
        CONFLICT,
      ]);
      return;
    }
    case 'mount': {
      const node = realNode(plan.node);
      return node && mountVolume(node, name);
    }
    case 'grow': {
      const node = realNode(plan.node);
      if (node) await growVolume(node, name, bytes(plan.size));
      return patch(cluster, `${VOLUMES}/${name}`, { spec: { capacity: { storage: plan.size } } });
    }
    case 'report':
      // An empty list also ends `Resizing`.
      return patch(cluster, `${pathOf(claim)}/status`, {
        status: { capacity: { storage: plan.size }, conditions: [] },
      });
    case 'remove': {
      const nodes = volume ? [realNode(nodeOf(volume))] : cluster.nodes;
      for (const node of nodes) if (node) await removeVolume(node, name);
      // Last, so that after a kill the released volume still says what is left to do.
      if (volume) await mustCallApi(cluster, { method: 'DELETE', path: `${VOLUMES}/${name}` }, [NOT_FOUND]);
    }
  }
}

const pathOf = (claim?: Claim) =>
  `/api/v1/namespaces/${claim?.metadata?.namespace}/persistentvolumeclaims/${claim?.metadata?.name}`;

async function patch(cluster: Layout, path: string, body: unknown): Promise<void> {
  await mustCallApi(cluster, { method: 'PATCH', path, body, contentType: 'application/merge-patch+json' }, [NOT_FOUND]);
}

/** An event on the claim, where people who wait for it look. */
async function report(cluster: Layout, { metadata }: Claim, message: string): Promise<void> {
  const { namespace, name, uid } = metadata ?? {};
  const now = new Date().toISOString();
  await mustCallApi(cluster, {
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/events`,
    body: {
      metadata: { generateName: `${name}-`, namespace },
      involvedObject: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid },
      type: 'Warning',
      reason: 'ProvisioningFailed',
      message: message.slice(0, 1000),
      source: { component: PROVISIONER },
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
    },
  }).catch((error: Error) => console.error(`event on ${namespace}/${name}: ${error.message}`));
}

// Every node that this cluster can have: which of them are there shows in what the scheduler selects.
await provision(layout(process.argv[2] ?? '', MAX_NODES));
