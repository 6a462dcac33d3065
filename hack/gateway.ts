// The gateway, the mail server it sends by and the card provider's double, as processes of this machine. The gateway has its ServiceAccount's rights and
// no others, and an embedded database in the cluster's folder.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Authority, makeGatewayCertificate } from './certificates.ts';
import { answersOk } from './control-plane.ts';
import { type Layout, TENANT_DOMAIN } from './layout.ts';
import { prometheusFlags } from './metrics/start-prometheus.ts';
import { objectStoreFlags } from './object-store.ts';
import { keyFile, makeDoubleKeys, PUBLISHABLE_KEY, webhookSecretFile } from './payments/double-keys.ts';
import { platformKeyFile, SMALL_NURSERY, writeAccountKubeconfig } from './platform.ts';
import { startProcess, stopProcess, waitReady } from './process.ts';
import { builtAdmin, builtConsole, builtPortal } from './web-apps.ts';

const repository = fileURLToPath(new URL('..', import.meta.url));
const ACCOUNT = 'gantry-gateway';

export const apiUrl = ({ ports }: Layout): string => `http://127.0.0.1:${ports.gateway}/api`;
/** Uses the host name of --public-url: browser storage belongs to a host name. */
export const consoleUrl = ({ ports }: Layout): string => `http://localhost:${ports.gateway}/`;
/** The operators' console. */
export const adminUrl = ({ ports }: Layout): string => `http://localhost:${ports.admin}/`;
/** The public portal. */
export const portalUrl = ({ ports }: Layout): string => `http://localhost:${ports.portal}/`;
/** The payment double: test cards pay, and no money moves. */
export const paymentsUrl = ({ ports }: Layout): string => `http://127.0.0.1:${ports.payments}`;
export const paymentsDir = ({ dir }: Layout): string => `${dir}/payments`;
const administratorFile = ({ dir }: Layout): string => `${dir}/gateway/administrator`;

/** Step. Mails stay when the process does not. */
export const startMailSink = (cluster: Layout): Promise<void> => listenForMails(cluster, '127.0.0.1');
/** Step. Where a gateway in a Pod finds it; other machines do not. */
export const startMailSinkForPods = (cluster: Layout): Promise<void> => listenForMails(cluster, cluster.bridge.ip);

async function listenForMails(cluster: Layout, address: string): Promise<void> {
  await startProcess(cluster, {
    name: 'mail-sink',
    command: [
      process.execPath,
      fileURLToPath(new URL('mail/mail-sink-process.ts', import.meta.url)),
      `${cluster.ports.mail}`,
      cluster.mailDir,
      address,
    ],
  });
}

/** Step. */
export const startCardDouble = (cluster: Layout): Promise<void> => takePayments(cluster, '127.0.0.1');
/** Step. Where a gateway in a Pod, and browsers on this machine, find it. */
export const startCardDoubleForPods = (cluster: Layout): Promise<void> => takePayments(cluster, cluster.bridge.ip);

/** Restarts it, because its code may have changed; cards and payments stay in its folder. */
async function takePayments(cluster: Layout, address: string): Promise<void> {
  const folder = paymentsDir(cluster);
  await makeDoubleKeys(folder);
  await stopProcess(cluster, 'card-double', GRACE_MS);
  await startProcess(cluster, {
    name: 'card-double',
    command: [
      process.execPath,
      fileURLToPath(new URL('payments/card-double-process.ts', import.meta.url)),
      `${cluster.ports.payments}`,
      folder,
      apiUrl(cluster),
      address,
    ],
  });
}

/** Step; tests skip it and start their own gateway. Restarts it, because its code may have changed. */
export async function startGateway(cluster: Layout): Promise<void> {
  const kubeconfig = `${cluster.dir}/gateway/kubeconfig`;
  await writeAccountKubeconfig(cluster, ACCOUNT, kubeconfig);
  await stopProcess(cluster, 'gateway', GRACE_MS);
  await startProcess(cluster, {
    name: 'gateway',
    command: [
      process.execPath,
      SMALL_NURSERY,
      `${repository}api/src/main.ts`,
      `--port=${cluster.ports.gateway}`,
      `--tenant-port=${cluster.ports.tenantWeb}`,
      `--tenant-domain=${TENANT_DOMAIN}`,
      `--public-url=${new URL(consoleUrl(cluster)).origin}`,
      `--console-dir=${await builtConsole()}`,
      `--admin-dir=${await builtAdmin()}`,
      `--admin-port=${cluster.ports.admin}`,
      `--admin-url=${new URL(adminUrl(cluster)).origin}`,
      `--portal-dir=${await builtPortal()}`,
      `--portal-port=${cluster.ports.portal}`,
      `--portal-url=${new URL(portalUrl(cluster)).origin}`,
      `--data-dir=${cluster.dir}/gateway/data`,
      `--kubeconfig=${kubeconfig}`,
      `--smtp-url=smtp://127.0.0.1:${cluster.ports.mail}`,
      `--administrator-file=${administratorFile(cluster)}`,
      // A newcomer applies an organisation and an instance, and has no money yet.
      '--adopted-credit=100',
      // As operatorFlags has them.
      '--shared-pool=open',
      '--simulated-nodes=true',
      ...(await kubernetesFlags(cluster, cluster.ports.kubernetes)),
      ...paymentFlags(cluster),
      ...objectStoreFlags(cluster),
      // Prometheus reads there.
      `--metrics-port=${cluster.ports.gatewayMetrics}`,
      ...(await gatewayFlags(cluster)),
      // The Pods of a cluster from elsewhere have no route from here.
      ...(process.env.GANTRY_AGENT_IMAGE ? ['--service-network=proxy'] : []),
    ],
  });
  const ready = new URL('/readyz', apiUrl(cluster)).href;
  await waitReady(cluster, 'gateway', () => answersOk(ready));
}

/** The flags for the address of kubeconfigs: kubectl sends its token over TLS alone. */
export async function kubernetesFlags(cluster: Authority, port: number): Promise<string[]> {
  const { cert, key, ca } = await makeGatewayCertificate(cluster);
  return [
    `--kubernetes-port=${port}`,
    `--kubernetes-url=https://127.0.0.1:${port}`,
    `--kubernetes-tls-cert-file=${cert}`,
    `--kubernetes-tls-key-file=${key}`,
    `--kubernetes-ca-file=${ca}`,
  ];
}

/** Flags for the double: cards and a bank on which no money moves. */
const paymentFlags = (cluster: Layout): string[] => [
  `--stripe-url=${paymentsUrl(cluster)}`,
  `--stripe-js-url=${paymentsUrl(cluster)}/v3/`,
  `--stripe-key-file=${keyFile(paymentsDir(cluster))}`,
  `--stripe-webhook-secret-file=${webhookSecretFile(paymentsDir(cluster))}`,
  `--stripe-publishable-key=${PUBLISHABLE_KEY}`,
  '--bank-account=TEST MODE: no bank, transfer nothing',
];

/** Flags that every gateway beside this cluster needs. */
export const gatewayFlags = async (cluster: Layout): Promise<string[]> => [
  `--platform-key-file=${await platformKeyFile(cluster)}`,
  `--registry-url=http://${cluster.registry.address}`,
  ...prometheusFlags(cluster),
];

/** Prints what the proof says; resolves with its exit code. */
export async function proveBooks(cluster: Layout): Promise<number> {
  const args = ['books', 'verify', `--data-dir=${cluster.dir}/gateway/data`, ...(await gatewayFlags(cluster))];
  const child = spawn(process.execPath, [`${repository}api/src/main.ts`, ...args], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

/** Prints what `gantry doctor` finds; resolves with its exit code. */
export async function checkCluster(cluster: Layout): Promise<number> {
  const args = [
    `--kubeconfig=${cluster.kubeconfig}`,
    `--data-dir=${cluster.dir}/gateway/data`,
    `--smtp-url=smtp://127.0.0.1:${cluster.ports.mail}`,
  ];
  const child = spawn(process.execPath, [`${repository}api/src/main.ts`, 'doctor', ...args], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

/** Its calls may take thirty seconds; a second `up` does not wait that long. */
const GRACE_MS = 5_000;

/** The administrator that the first start created, readable once. */
export async function takeAdministrator(cluster: Layout): Promise<{ name: string; password: string } | undefined> {
  const file = administratorFile(cluster);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  await rm(file);
  const [name = '', password = ''] = text.split('\n');
  return { name, password };
}
