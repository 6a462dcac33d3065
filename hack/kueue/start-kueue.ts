// Kueue, as a process of the host: its kinds from its own module, and its webhooks by address. It touches no Job but those that ask
// for a queue.
import { QUEUE_GROUP as GROUP } from '@gantry/contract/names.ts';
import { binary } from '../binaries.ts';
import { kubeconfigFile } from '../certificates.ts';
import { answersOk } from '../control-plane.ts';
import type { Layout } from '../layout.ts';
import { findProcess, startProcess, waitReady } from '../process.ts';
import { applyKinds, applyWebhooks, layOutCertificate, type Webhook } from '../webhooks.ts';
import { writeChanged } from '../write-changed.ts';

const VERSION = 'v1beta2';
const QUEUE_LABEL = `${GROUP}/queue-name`;
/** How long a gang may take to start, pulls included. Then it gives its place back and waits again. */
const START_LIMIT = '15m';

/** Those of its webhooks that we need, as its own manifests have them: the others are for frameworks that are not used here. */
const OWN = { group: GROUP, version: VERSION };
const JOB = { group: 'batch', version: 'v1', kind: 'job', resources: ['jobs'], label: QUEUE_LABEL };
const MUTATE = { does: 'mutate', operations: ['CREATE'] } as const;
const VALIDATE = { does: 'validate', operations: ['CREATE', 'UPDATE'] } as const;
const WEBHOOKS: readonly Webhook[] = [
  { ...MUTATE, ...OWN, kind: 'clusterqueue', resources: ['clusterqueues'] },
  { ...MUTATE, ...OWN, kind: 'resourceflavor', resources: ['resourceflavors'] },
  { ...MUTATE, ...OWN, kind: 'workload', resources: ['workloads'] },
  { ...MUTATE, ...JOB },
  { ...VALIDATE, ...OWN, kind: 'clusterqueue', resources: ['clusterqueues'] },
  { ...VALIDATE, ...OWN, kind: 'cohort', resources: ['cohorts'] },
  { ...VALIDATE, ...OWN, kind: 'resourceflavor', resources: ['resourceflavors'] },
  { ...VALIDATE, ...OWN, kind: 'workload', resources: ['workloads', 'workloads/status'] },
  // Other Jobs do not stop with it: the platform's own, and those on hosts.
  { ...VALIDATE, ...JOB },
];

/** Step. */
export async function startKueue(cluster: Layout): Promise<void> {
  const program = await binary('kueue');
  if (!(await findProcess(cluster, 'kueue'))) await applyKinds(cluster, 'Kueue', `${program}-crds`);
  const dir = `${cluster.dir}/kueue`;
  // Below `etc` where its metrics want them.
  const certs = `${dir}/etc/kueue/metrics/certs`;
  await layOutCertificate(cluster, 'kueue', certs);
  const health = `127.0.0.1:${cluster.ports.kueueHealth}`;
  await writeChanged(`${dir}/config.json`, JSON.stringify(configuration(cluster, certs, health)));
  await startProcess(cluster, {
    name: 'kueue',
    // It looks for the certificate of its metrics in a fixed place, also if nobody may ask for them.
    command: [
      'unshare',
      '--mount',
      'sh',
      '-c',
      `mount -t overlay overlay -o lowerdir=${dir}/etc:/etc /etc && exec "$@"`,
      'sh',
      program,
      `--config=${dir}/config.json`,
      `--kubeconfig=${kubeconfigFile(cluster, 'admin')}`,
      '--zap-log-level=error',
    ],
  });
  await waitReady(cluster, 'kueue', () => answersOk(`http://${health}/readyz`));
  await applyWebhooks(cluster, 'kueue', cluster.ports.kueue, WEBHOOKS);
}

const configuration = (cluster: Layout, certDir: string, health: string) => ({
  apiVersion: 'config.kueue.x-k8s.io/v1beta2',
  kind: 'Configuration',
  health: { healthProbeBindAddress: health },
  metrics: { bindAddress: '0' },
  webhook: { host: cluster.bridge.ip, port: cluster.ports.kueue, certDir },
  leaderElection: { leaderElect: false },
  internalCertManagement: { enable: false },
  manageJobsWithoutQueueName: false,
  clientConnection: { qps: 500, burst: 1000 },
  controller: { groupKindConcurrency: { 'Job.batch': 5, 'Workload.kueue.x-k8s.io': 5 } },
  integrations: { frameworks: ['batch/job'] },
  waitForPodsReady: {
    timeout: START_LIMIT,
    recoveryTimeout: START_LIMIT,
    blockAdmission: false,
    requeuingStrategy: { timestamp: 'Eviction', backoffBaseSeconds: 10, backoffMaxSeconds: 300 },
  },
  // A node sets these aside by itself, and nobody queues for them.
  resources: { excludeResourcePrefixes: ['ephemeral-storage'] },
  // Positions are counted from its Workloads, without its own API. Among organisations the oldest job comes first, whatever they call
  // urgent: a priority orders the jobs of one.
  featureGates: { VisibilityOnDemand: false, PrioritySortingWithinCohort: false },
});
