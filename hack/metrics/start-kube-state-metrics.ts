// kube-state-metrics, of Pods alone: why their containers wait, and how often they were started again. Only for METRICS=all, because
// of the time that its build takes.
import { mkdir, writeFile } from 'node:fs/promises';
import { binary } from '../binaries.ts';
import { certificateFile } from '../certificates.ts';
import { answersOk } from '../control-plane.ts';
import type { Layout } from '../layout.ts';
import { findProcess, flags, startProcess, waitReady } from '../process.ts';
import { readerToken } from './reader-account.ts';

const NAME = 'kube-state-metrics';
const FAMILIES = ['kube_pod_container_status_restarts_total', 'kube_pod_container_status_waiting_reason'];

export const hasKubeStateMetrics = async (cluster: Layout): Promise<boolean> =>
  (await findProcess(cluster, NAME)) !== undefined;

/** Step. Once it was asked for it stays. */
export async function startKubeStateMetrics(cluster: Layout): Promise<void> {
  if (process.env.METRICS !== 'all' && !(await hasKubeStateMetrics(cluster))) return;
  const { dir, ports } = cluster;
  const kubeconfig = `${dir}/metrics/${NAME}.kubeconfig`;
  const token = await readerToken(cluster, NAME, [{ apiGroups: [''], resources: ['pods'], verbs: ['list', 'watch'] }]);
  await mkdir(`${dir}/metrics`, { recursive: true, mode: 0o700 });
  await writeFile(kubeconfig, JSON.stringify(kubeconfigOf(cluster, token)), { mode: 0o600 });
  const host = '127.0.0.1';
  await startProcess(cluster, {
    name: NAME,
    command: [
      await binary(NAME),
      ...flags({
        kubeconfig,
        resources: 'pods',
        'metric-allowlist': FAMILIES.join(','),
        ...{ host, port: `${ports.kubeStateMetrics}` },
        ...{ 'telemetry-host': host, 'telemetry-port': `${ports.kubeStateTelemetry}` },
      }),
    ],
  });
  await waitReady(cluster, NAME, () => answersOk(`http://${host}:${ports.kubeStateMetrics}/healthz`));
}

const kubeconfigOf = (cluster: Layout, token: string) => ({
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': NAME,
  contexts: [{ name: NAME, context: { cluster: NAME, user: NAME } }],
  clusters: [
    {
      name: NAME,
      cluster: { server: cluster.apiServer, 'certificate-authority': certificateFile(cluster, 'ca') },
    },
  ],
  users: [{ name: NAME, user: { token } }],
});
