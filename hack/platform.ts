// Installs what the chart installs elsewhere: our kinds, their policies and roles, and the operator as a process of the host with
// only its ServiceAccount's rights.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { REGISTRY_ACCOUNT } from '@gantry/contract/names.ts';
import { binary } from './binaries.ts';
import { answersOk } from './control-plane.ts';
import { pushedImage } from './images/build.ts';
import { trainerImage } from './images/trainer.ts';
import { type Layout, tenantWeb } from './layout.ts';
import { startProcess, stopProcess, waitReady } from './process.ts';
import { registryKubeconfig, startTokens } from './registry.ts';
import { run, succeeds } from './run.ts';
import { applyFiles, untilAnswered } from './slow-server.ts';
import { sshDoor } from './ssh-door.ts';
import { PATIENCE_MS } from './wait-for.ts';

const repository = fileURLToPath(new URL('..', import.meta.url));
const NAMESPACE = 'gantry-system';
const ACCOUNT = 'gantry-operator';
const YEAR_SECONDS = 365 * 24 * 3600;

/** Step. CRDs first, because roles and policies refer to them; established before anybody creates an object. */
export async function installPlatform(cluster: Layout): Promise<void> {
  const kubectl = await binary('kubectl');
  const env = { KUBECONFIG: cluster.kubeconfig };
  await applyFiles(cluster, 'crds', repository);
  const established = [
    'wait',
    '--for=condition=Established',
    `--timeout=${PATIENCE_MS}ms`,
    '--recursive=false',
    '-f',
    'crds',
  ];
  await untilAnswered(() => run(kubectl, established, { cwd: repository, env }));
  await applyFiles(cluster, 'crds/platform', repository);
}

/** Flag of Node's: 50 MB less at 10,000 objects. Whatever lists them all runs with it. */
export const SMALL_NURSERY = '--max-semi-space-size=8';

/** Step; tests skip it and start their own operator. Restarts it, because its code or its agent may have changed. */
export async function startOperator(cluster: Layout): Promise<void> {
  const kubeconfig = `${cluster.dir}/operator/kubeconfig`;
  await writeAccountKubeconfig(cluster, ACCOUNT, kubeconfig);
  await stopProcess(cluster, 'operator');
  const health = `127.0.0.1:${cluster.ports.operator}`;
  await startProcess(cluster, {
    name: 'operator',
    command: [
      process.execPath,
      SMALL_NURSERY,
      `${repository}operator/src/main.ts`,
      `--kubeconfig=${kubeconfig}`,
      `--health-port=${cluster.ports.operator}`,
      ...(await operatorFlags(cluster)),
      // The gateway beside it bills.
      '--credit-gate=required',
    ],
  });
  await waitReady(cluster, 'operator', () => answersOk(`http://${health}/readyz`));
}

/** How a bare machine's operator is set up: one real node for everybody, and nobody who bills. */
export async function operatorFlags(cluster: Layout): Promise<string[]> {
  // A cluster that comes from elsewhere does not know our registry, and has not our door.
  const { GANTRY_AGENT_IMAGE: elsewhere, GANTRY_SSH_DOOR: door = '' } = process.env;
  return [
    '--credit-gate=off',
    '--shared-pool=open',
    '--simulated-nodes=true',
    `--platform-key-file=${await platformKeyFile(cluster)}`,
    `--agent-image=${elsewhere ?? (await pushedImage(cluster, 'agent'))}`,
    ...(elsewhere ? [] : await imageFlags(cluster)),
    `--service-url=${tenantWeb(cluster)}`,
    `--ssh-door=${elsewhere ? door : (sshDoor(cluster) ?? '')}`,
  ];
}

/** Of workers. A machine that could not make the image of the data worker has no datasets to read. */
async function imageFlags(cluster: Layout): Promise<string[]> {
  const image = await pushedImage(cluster, 'data-worker').catch(() => undefined);
  return [
    ...(image ? [`--data-server-image=${image}`] : []),
    '--data-server-disk-gi=4',
    // It comes later, under this name.
    `--trainer-image=${await trainerImage(cluster)}`,
  ];
}

/** The key that the platform's passwords derive from: one per cluster, generated once. */
export async function platformKeyFile({ dir }: Layout): Promise<string> {
  const file = `${dir}/platform.key`;
  if (!existsSync(file)) {
    await mkdir(dir, { recursive: true });
    // Whole or not at all; of two that make one at once, both use the first.
    const mine = `${file}.${process.pid}`;
    await writeFile(mine, randomBytes(32), { mode: 0o600 });
    await link(mine, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await rm(mine, { force: true });
  }
  return file;
}

/** Step. The registry's token process waits for this account; with it, it knows organisations and agents. */
export async function giveRegistryAccount(cluster: Layout): Promise<void> {
  const file = registryKubeconfig(cluster);
  const isOutdated =
    existsSync(file) && !(await succeeds(await binary('kubectl'), ['auth', 'whoami', `--kubeconfig=${file}`]));
  await writeAccountKubeconfig(cluster, REGISTRY_ACCOUNT, file);
  // After an uninstall the account is another one, and the process, which reads the file once, would be nobody.
  if (isOutdated) await startTokens(cluster);
}

/** A ServiceAccount's kubeconfig, by TokenRequest: the account has the same rights as anywhere else. */
export async function writeAccountKubeconfig(cluster: Layout, account: string, file: string): Promise<void> {
  const kubectl = await binary('kubectl');
  const env = { KUBECONFIG: cluster.kubeconfig };
  const asked = ['create', 'token', account, `--namespace=${NAMESPACE}`, `--duration=${YEAR_SECONDS}s`];
  const token = (await untilAnswered(() => run(kubectl, asked, { env }))).trim();
  // Server and authority as the administrator knows them, wherever the cluster comes from.
  const view = ['config', 'view', '--raw', '--minify', '--flatten', '--output=json'];
  const { clusters }: { clusters: { name: string }[] } = JSON.parse(await run(kubectl, view, { env }));
  await mkdir(dirname(file), { recursive: true });
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': account,
    contexts: [{ name: account, context: { cluster: clusters[0]?.name, user: account, namespace: NAMESPACE } }],
    clusters,
    users: [{ name: account, user: { token } }],
  };
  await writeFile(`${file}.new`, JSON.stringify(config), { mode: 0o600 });
  // Whole or not at all: somebody may be waiting for it.
  await rename(`${file}.new`, file);
}
