// The stand-in for NVIDIA's DCGM exporter, for all nodes of a cluster at once, until it is ended. Its arguments: the cluster's name,
// how many real nodes it has, and the port.
import { createServer } from 'node:http';
import type { V1Node, V1Pod } from '@kubernetes/client-node';
import { layout } from '../layout.ts';
import { watchObjects } from '../watch-objects.ts';
import type { GpuNode } from './gpu-cards.ts';
import { GpuExposition } from './gpu-exposition.ts';
import { readFaults } from './gpu-faults.ts';
import { gpuNodesOf } from './gpu-nodes.ts';

const [name, nodeCount, port] = process.argv.slice(2);
if (!name || !nodeCount || !port) throw new Error('usage: gpu-exporter-process.ts CLUSTER NODES PORT');
const cluster = layout(name, Number(nodeCount));
const keyOf = ({ metadata }: V1Node | V1Pod) => `${metadata?.namespace ?? ''}/${metadata?.name}`;
const changed = () => {};
const [nodes, pods] = await Promise.all([
  watchObjects<V1Node>(cluster, '/api/v1/nodes', { keyOf, changed }),
  watchObjects<V1Pod>(cluster, '/api/v1/pods', { keyOf, changed }),
]);
const exposition = new GpuExposition();
const now = (): GpuNode[] => gpuNodesOf([...nodes.values()], [...pods.values()]);

createServer(async (_req, res) => {
  try {
    const text = await exposition.text(now(), await readFaults(cluster), Date.now());
    res.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text);
  } catch (error) {
    console.error(error);
    res.writeHead(500).end();
  }
}).listen(Number(port), '127.0.0.1');
