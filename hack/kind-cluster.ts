// A cluster in Docker, by the kind command line. Not verified: no machine of ours has had Docker yet.
import type { Layout } from './layout.ts';
import { run, succeeds } from './run.ts';
import { writeChanged } from './write-changed.ts';

export async function createKindCluster({ name, nodes, kubeconfig }: Layout): Promise<void> {
  for (const [command, question] of [
    ['docker', 'info'],
    ['kind', 'version'],
  ] as const) {
    if (!(await succeeds(command, [question])))
      throw new Error(`CLUSTER=kind needs ${command}, and it does not answer`);
  }
  const clusters = (await run('kind', ['get', 'clusters'])).split('\n');
  if (!clusters.includes(name)) {
    const roles = ['control-plane', ...nodes.map(() => 'worker')].map((role) => ({ role }));
    const config = { kind: 'Cluster', apiVersion: 'kind.x-k8s.io/v1alpha4', nodes: roles };
    // JSON is YAML.
    await run('kind', ['create', 'cluster', '--name', name, '--config', '-'], { input: JSON.stringify(config) });
  }
  await writeChanged(kubeconfig, await run('kind', ['get', 'kubeconfig', '--name', name]), 0o600);
}

export async function deleteKindCluster({ name }: Layout): Promise<void> {
  await run('kind', ['delete', 'cluster', '--name', name]);
}
