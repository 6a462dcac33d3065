// LeaderWorkerSet, as a process of the host: its kind from its own module, and its webhooks by address. It touches no Pod but those of
// its own groups. Only for LWS=on, because of the time that its build takes.
import { GROUPS_GROUP, GROUPS_VERSION } from '@gantry/contract/names.ts';
import { mustCallApi } from '../api-call.ts';
import { binary } from '../binaries.ts';
import { kubeconfigFile } from '../certificates.ts';
import { answersOk } from '../control-plane.ts';
import type { Layout } from '../layout.ts';
import { findProcess, flags, startProcess, stopProcess, waitReady } from '../process.ts';
import { applyKinds, applyWebhooks, layOutCertificate, type Webhook } from '../webhooks.ts';
import { writeChanged } from '../write-changed.ts';

const NAME = 'lws';
const KIND = { group: GROUPS_GROUP, version: GROUPS_VERSION, kind: 'leaderworkerset', resources: ['leaderworkersets'] };
const POD = { group: '', version: 'v1', kind: 'pod', resources: ['pods'], label: 'leaderworkerset.sigs.k8s.io/name' };

const WEBHOOKS: readonly Webhook[] = [
  { does: 'mutate', ...KIND, operations: ['CREATE', 'UPDATE'] },
  { does: 'mutate', ...POD, operations: ['CREATE'] },
  { does: 'validate', ...KIND, operations: ['CREATE', 'UPDATE'] },
];

/** Step. Once it was asked for it stays. */
export async function startLws(cluster: Layout): Promise<void> {
  if (process.env.LWS === 'on' || (await findProcess(cluster, NAME))) await installLws(cluster);
}

/** Whether the environment asks for it or not. An operator finds it when it starts. */
export async function installLws(cluster: Layout): Promise<void> {
  const program = await binary(NAME);
  if (!(await findProcess(cluster, NAME))) await applyKinds(cluster, 'LeaderWorkerSet', `${program}-crds`);
  const dir = `${cluster.dir}/${NAME}`;
  const health = `127.0.0.1:${cluster.ports.groupsHealth}`;
  await layOutCertificate(cluster, NAME, `${dir}/certs`);
  await writeChanged(`${dir}/config.json`, JSON.stringify(configuration(cluster, `${dir}/certs`, health)));
  await startProcess(cluster, {
    name: NAME,
    command: [
      program,
      ...flags({
        config: `${dir}/config.json`,
        kubeconfig: kubeconfigFile(cluster, 'admin'),
        'zap-log-level': 'error',
      }),
    ],
  });
  await waitReady(cluster, NAME, () => answersOk(`http://${health}/readyz`));
  await applyWebhooks(cluster, NAME, cluster.ports.groups, WEBHOOKS);
}

const configuration = (cluster: Layout, certDir: string, health: string) => ({
  apiVersion: 'config.lws.x-k8s.io/v1alpha1',
  kind: 'Configuration',
  health: { healthProbeBindAddress: health },
  metrics: { bindAddress: '0' },
  webhook: { host: cluster.bridge.ip, port: cluster.ports.groups, certDir },
  leaderElection: { leaderElect: false },
  internalCertManagement: { enable: false },
  clientConnection: { qps: 500, burst: 1000 },
});

/** Groups go with their kind. For tests, which share a cluster. */
export async function removeLws(cluster: Layout): Promise<void> {
  await stopProcess(cluster, NAME);
  for (const path of [
    `/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/${NAME}`,
    `/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/${NAME}`,
    `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/leaderworkersets.${GROUPS_GROUP}`,
  ])
    await mustCallApi(cluster, { method: 'DELETE', path }, [404]);
}
