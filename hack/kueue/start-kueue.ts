// Kueue, as a process of the host: its kinds from its own module, and its webhooks by address. It touches no Job but those that ask
// for a queue.
import { mkdir, readFile } from 'node:fs/promises';
import { QUEUE_GROUP as GROUP } from '@gantry/contract/names.ts';
import { applyObject } from '../api-call.ts';
import { binary } from '../binaries.ts';
import { certificateFile, keyFile, kubeconfigFile } from '../certificates.ts';
import { answersOk } from '../control-plane.ts';
import type { Layout } from '../layout.ts';
import { findProcess, startProcess, waitReady } from '../process.ts';
import { run, succeeds } from '../run.ts';
import { waitFor } from '../wait-for.ts';
import { writeChanged } from '../write-changed.ts';

const VERSION = 'v1beta2';
const QUEUE_LABEL = `${GROUP}/queue-name`;
/** How long a gang may take to start, pulls included. Then it gives its place back and waits again. */
const START_LIMIT = '15m';

/** Those of its webhooks that we need, as its own manifests have them: the others are for frameworks that are not used here. */
const WEBHOOKS = [
  { does: 'mutate', group: GROUP, version: VERSION, kind: 'clusterqueue', plural: 'clusterqueues' },
  { does: 'mutate', group: GROUP, version: VERSION, kind: 'resourceflavor', plural: 'resourceflavors' },
  { does: 'mutate', group: GROUP, version: VERSION, kind: 'workload', plural: 'workloads' },
  { does: 'mutate', group: 'batch', version: 'v1', kind: 'job', plural: 'jobs' },
  { does: 'validate', group: GROUP, version: VERSION, kind: 'clusterqueue', plural: 'clusterqueues' },
  { does: 'validate', group: GROUP, version: VERSION, kind: 'cohort', plural: 'cohorts' },
  { does: 'validate', group: GROUP, version: VERSION, kind: 'resourceflavor', plural: 'resourceflavors' },
  { does: 'validate', group: GROUP, version: VERSION, kind: 'workload', plural: 'workloads' },
  { does: 'validate', group: 'batch', version: 'v1', kind: 'job', plural: 'jobs' },
] as const;

/** Step. */
export async function startKueue(cluster: Layout): Promise<void> {
  const program = await binary('kueue');
  if (!(await findProcess(cluster, 'kueue'))) await applyKinds(cluster, `${program}-crds`);
  const dir = `${cluster.dir}/kueue`;
  const certs = await certificates(cluster, dir);
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
  await applyWebhooks(cluster);
}

/** Before it starts: it ends at once if they are not served. */
async function applyKinds(cluster: Layout, folder: string): Promise<void> {
  const kubectl = await binary('kubectl');
  const env = { KUBECONFIG: cluster.kubeconfig };
  await run(kubectl, ['apply', '--server-side', '--force-conflicts', '-f', folder], { env });
  // kubectl fails at once while one has no conditions yet.
  const wait = ['wait', '--for=condition=Established', '--timeout=10s', '-f', folder];
  await waitFor("Kueue's kinds to be served", async () => (await succeeds(kubectl, wait, { env })) || undefined, {
    limitMs: 60_000,
  });
}

/** As tls.crt and tls.key, below `etc` where its metrics want them. */
async function certificates(cluster: Layout, dir: string): Promise<string> {
  const folder = `${dir}/etc/kueue/metrics/certs`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const [from, to] of [
    [certificateFile(cluster, 'kueue'), 'tls.crt'],
    [keyFile(cluster, 'kueue'), 'tls.key'],
  ] as const)
    await writeChanged(`${folder}/${to}`, await readFile(from, 'utf8'), 0o600);
  return folder;
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

async function applyWebhooks(cluster: Layout): Promise<void> {
  const caBundle = (await readFile(certificateFile(cluster, 'ca'))).toString('base64');
  const base = `https://${cluster.bridge.ip}:${cluster.ports.kueue}`;
  for (const [does, configurations, kind] of [
    ['mutate', 'mutatingwebhookconfigurations', 'MutatingWebhookConfiguration'],
    ['validate', 'validatingwebhookconfigurations', 'ValidatingWebhookConfiguration'],
  ] as const) {
    const webhooks = WEBHOOKS.filter((webhook) => webhook.does === does).map((webhook) => ({
      name: `${does[0]}${webhook.kind}.kb.io`,
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      failurePolicy: 'Fail',
      clientConfig: {
        caBundle,
        url: `${base}/${does}-${webhook.group.replaceAll('.', '-')}-${webhook.version}-${webhook.kind}`,
      },
      rules: [
        {
          apiGroups: [webhook.group],
          apiVersions: [webhook.version],
          operations: does === 'mutate' ? ['CREATE'] : ['CREATE', 'UPDATE'],
          resources: [
            webhook.plural,
            ...(webhook.kind === 'workload' && does === 'validate' ? ['workloads/status'] : []),
          ],
        },
      ],
      // Other Jobs do not stop with it: the platform's own, and those on hosts.
      ...(webhook.group === 'batch' && {
        objectSelector: { matchExpressions: [{ key: QUEUE_LABEL, operator: 'Exists' }] },
      }),
    }));
    await applyObject(cluster, `/apis/admissionregistration.k8s.io/v1/${configurations}`, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind,
      metadata: { name: 'kueue' },
      webhooks,
    });
  }
}
