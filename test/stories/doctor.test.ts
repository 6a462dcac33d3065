// `gantry doctor` on the real cluster: its live probes where all is well, what it finds of real faults, and that nothing of it stays,
// also when it is interrupted. The operators' console has the same checks made with the gateway's rights alone.

import { DOCTOR_COMMANDS } from '@gantry/contract/areas/doctor/admin-doctor.ts';
import { ACCOUNT_ROUTES } from '@gantry/contract/areas/identity/account.ts';
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import { DOCTOR_NAMESPACE } from '@gantry/contract/names.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findProcess } from '../../hack/process.ts';
import { runCommand } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { GatewayProcess } from '../support/gateway.ts';
import { type Mailbox, openMailbox } from '../support/mail-sink.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { type TestCluster, testCluster } from '../support/test-cluster.ts';

let cluster: TestCluster;
let mailbox: Mailbox;
let safe: PostgresServer;
let unsafe: PostgresServer;
beforeAll(async () => {
  cluster = await testCluster();
  [mailbox, safe, unsafe] = await Promise.all([openMailbox(), startPostgres({ fsync: true }), startPostgres()]);
});
afterAll(async () => {
  await Promise.all([mailbox?.close(), safe?.end(), unsafe?.end()]);
});

type Report = AdminRow<'cluster-checks'>;
interface Document {
  finding: string;
  checks: { id: string; finding: string; found: { reason: string; evidence: string; todo: string }[] }[];
}

async function doctor(...flags: string[]): Promise<{ code: number; document: Document }> {
  const args = ['api/src/main.ts', 'doctor', '--json', `--kubeconfig=${cluster.kubeconfig}`, ...flags];
  const { code, stdout, stderr } = await runCommand(process.execPath, args);
  expect(stderr).toBe('');
  return { code, document: JSON.parse(stdout) as Document };
}

const findings = ({ checks }: Document) => Object.fromEntries(checks.map(({ id, finding }) => [id, finding]));
const reasons = ({ checks }: Document, check: string) =>
  checks.find(({ id }) => id === check)?.found.map(({ reason }) => reason);
/** Beside the policy that the installation itself has there. */
const BESIDE = '--field-selector=metadata.name!=beyond-kubelets';
const left = async () =>
  (
    await cluster.kubectl.must([
      ...['get', 'pods,pvc,networkpolicies', '--namespace', DOCTOR_NAMESPACE, BESIDE, '--output', 'name'],
    ])
  ).trim();

/** The findings of the bare machine. */
const WELL = {
  kubernetesVersion: 'ok',
  kinds: 'ok',
  admissionPolicies: 'ok',
  networkPolicies: 'ok',
  storageSizes: 'ok',
  containerRuntime: 'ok',
  snapshotter: 'ok',
  gpus: 'ok',
  pidsLimit: 'ok',
  clocks: 'ok',
  registry: 'ok',
  tidiness: 'ok',
};

test('a cluster on which all is well passes every live probe, and nothing stays behind', async () => {
  const url = await safe.createDatabase('doctor');
  const { code, document } = await doctor(`--database-url=${url}`, `--smtp-url=${mailbox.url}`);
  expect(findings(document)).toMatchObject({ ...WELL, databaseDurable: 'ok', mail: 'ok' });
  // No DCGM exporter can run here.
  expect(reasons(document, 'gpuExporter')).toEqual(['exporterMissing']);
  expect(code).toBe(1);
  expect(await left()).toBe('');
});

test('a binding that was removed, a network that stopped enforcing and a database without fsync are found', async () => {
  const url = await unsafe.createDatabase('doctor');
  const enforcer = await findProcess(cluster.layout, 'network-policy');
  if (!enforcer) throw new Error('nobody enforces network policies');
  await cluster.kubectl.must(['delete', 'validatingadmissionpolicybinding', 'gantry-kinds-in-organizations']);
  process.kill(enforcer.pid, 'SIGSTOP');
  try {
    const { code, document } = await doctor(`--database-url=${url}`);
    expect(reasons(document, 'admissionPolicies')).toEqual(['bindingsMissing', 'forbiddenAccepted']);
    expect(reasons(document, 'networkPolicies')).toEqual(['ingressOpen', 'egressOpen']);
    expect(reasons(document, 'databaseDurable')).toEqual(['databaseUnsynced']);
    expect(document.checks.flatMap(({ found }) => found).find(({ reason }) => reason === 'bindingsMissing')).toEqual(
      expect.objectContaining({
        evidence: expect.stringContaining('gantry-kinds-in-organizations'),
        todo: expect.stringContaining('kubectl apply'),
      }),
    );
    expect(code).toBe(2);
    expect(await left()).toBe('');
  } finally {
    process.kill(enforcer.pid, 'SIGCONT');
    await cluster.kubectl.must(['apply', '--server-side', '-f', 'crds/platform/3-policies.yaml']);
  }
});

test('a run that is interrupted takes its Pods away before it ends', async () => {
  const interrupted = new AbortController();
  const args = ['api/src/main.ts', 'doctor', '--json', `--kubeconfig=${cluster.kubeconfig}`];
  const running = runCommand(process.execPath, args, { signal: interrupted.signal });
  await eventually('the doctor made something', async () => (await left()) !== '', 120_000);
  interrupted.abort();
  const { stdout } = await running;
  const calledOff = (JSON.parse(stdout) as Document).checks.flatMap(({ found }) => found.map(({ reason }) => reason));
  expect(calledOff).toContain('calledOff');
  expect(await left()).toBe('');
});

test('staff have the cluster checked with the gateway’s rights alone, and see the report', async () => {
  const gateway = await GatewayProcess.start(cluster, { flags: [`--smtp-url=${mailbox.url}`] });
  try {
    const { name, password } = await gateway.administrator();
    const { ticket = '' } = await gateway.client.must(ACCOUNT_ROUTES.login, { body: { account: name, password } });
    const changed = 'Correct-horse-8';
    await gateway.client.must(ACCOUNT_ROUTES.resetPassword, { body: { ticket, password: changed } });
    const { token = '' } = await gateway.client.must(ACCOUNT_ROUTES.login, {
      body: { account: name, password: changed },
    });
    const staff = gateway.client.with(token);
    const { id } = await staff.must(DOCTOR_COMMANDS.adminCheckCluster, { body: { reason: 'after an upgrade' } });
    const report = await eventually(
      'the report is done',
      async () => {
        const row = (await (await staff.fetch(`/api/admin/cluster-checks/${id}`)).json()) as Report;
        return row.state === 'running' ? undefined : row;
      },
      240_000,
    );
    const found = Object.fromEntries(report.results.map(({ check, finding }) => [check, finding]));
    expect(found).toMatchObject({ ...WELL, databaseDurable: 'warning', databaseSpeed: expect.anything(), mail: 'ok' });
    expect(report).toMatchObject({ state: 'done', reason: 'after an upgrade' });
    expect(await left()).toBe('');
  } finally {
    await gateway.close();
  }
});
