// Network policies that hold on a bare machine.
import { fileURLToPath } from 'node:url';
import type { Layout } from '../layout.ts';
import { startProcess } from '../process.ts';

/** Step. Its sets and rules are inside the nodes' network namespaces and go with them. */
export async function startNetworkPolicy(cluster: Layout): Promise<void> {
  await startProcess(cluster, {
    name: 'network-policy',
    command: [process.execPath, fileURLToPath(new URL('enforcer.ts', import.meta.url)), cluster.name],
  });
}
