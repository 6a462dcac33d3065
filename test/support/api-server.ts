// A throw-away etcd and kube-apiserver on loopback, for what the API server itself decides: schemas, CEL, policies, roles,
// conflicts, watches. Without scheduler and nodes objects stay as they are written; `controllers` names those of the
// controller manager that shall run beside it.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Binary, binary } from '../../hack/binaries.ts';
import { type Child, startChild } from './child.ts';
import { eventually } from './eventually.ts';
import { freePorts } from './free-ports.ts';
import { type Kubectl, kubectlWith } from './kubectl.ts';

export interface ApiServer {
  readonly url: string;
  /** Path of the administrator's kubeconfig. */
  readonly kubeconfig: string;
  readonly kubectl: Kubectl;
  /** Ends its processes and removes its files. */
  stop(): Promise<void>;
}

export interface ApiServerOptions {
  /** Our CRDs, roles and policies; default true. */
  readonly platform?: boolean;
  /** By kube-controller-manager's names: `namespace`, `serviceaccount`, `garbagecollector`, `resourcequota`, … */
  readonly controllers?: readonly string[];
  /** The scheduler beside it. */
  readonly scheduler?: boolean;
}

/** About three seconds. */
export async function startApiServer({
  platform = true,
  controllers = [],
  scheduler = false,
}: ApiServerOptions = {}): Promise<ApiServer> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-api-server-'));
  const children: Child[] = [];
  const stop = async () => {
    await Promise.all(children.map((child) => child.end()));
    await rm(folder, { recursive: true, force: true });
  };
  const start = async (name: Binary, flags: Readonly<Record<string, string>>): Promise<Child> => {
    const child = startChild(await binary(name), flags, join(folder, `${name}.log`));
    children.push(child);
    return child;
  };
  try {
    const place = await prepare(folder);
    const kubectl = kubectlWith(place.kubeconfig);
    await start('etcd', etcdFlags(place));
    await ready(await start('kube-apiserver', apiServerFlags(place, controllers)), kubectl);
    if (controllers.length > 0) await start('kube-controller-manager', controllerFlags(place, controllers));
    if (scheduler) await start('kube-scheduler', schedulerFlags(place));
    if (platform) await applyPlatform(kubectl);
    return { url: place.url, kubeconfig: place.kubeconfig, kubectl, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Place {
  readonly folder: string;
  readonly url: string;
  readonly port: number;
  readonly etcdUrl: string;
  readonly etcdPeerUrl: string;
  readonly kubeconfig: string;
}

async function prepare(folder: string): Promise<Place> {
  const [port = 0, etcd = 0, etcdPeer = 0] = await freePorts(3);
  const url = `https://127.0.0.1:${port}`;
  const kubeconfig = join(folder, 'kubeconfig');
  const token = randomBytes(16).toString('hex');
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const secret = (name: string, text: string | Buffer) => writeFile(join(folder, name), text, { mode: 0o600 });
  await secret('accounts.key', privateKey.export({ type: 'pkcs1', format: 'pem' }));
  await secret('accounts.pub', publicKey.export({ type: 'spki', format: 'pem' }));
  await secret('tokens.csv', `${token},admin,admin,system:masters\n`);
  await secret('kubeconfig', adminKubeconfig(folder, url, token));
  return {
    folder,
    url,
    port,
    etcdUrl: `http://127.0.0.1:${etcd}`,
    etcdPeerUrl: `http://127.0.0.1:${etcdPeer}`,
    kubeconfig,
  };
}

const adminKubeconfig = (folder: string, server: string, token: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'admin' } }],
    // The API server makes its own certificate there when it starts.
    clusters: [{ name: 'test', cluster: { server, 'certificate-authority': join(folder, 'apiserver.crt') } }],
    users: [{ name: 'admin', user: { token } }],
  });

const etcdFlags = ({ folder, etcdUrl, etcdPeerUrl }: Place) => ({
  'data-dir': join(folder, 'etcd'),
  'listen-client-urls': etcdUrl,
  'advertise-client-urls': etcdUrl,
  'listen-peer-urls': etcdPeerUrl,
  'initial-advertise-peer-urls': etcdPeerUrl,
  'initial-cluster': `default=${etcdPeerUrl}`,
  'unsafe-no-fsync': 'true',
  'log-level': 'warn',
});

const apiServerFlags = ({ folder, port, etcdUrl }: Place, controllers: readonly string[]) => ({
  'etcd-servers': etcdUrl,
  'bind-address': '127.0.0.1',
  'advertise-address': '127.0.0.1',
  'secure-port': `${port}`,
  'cert-dir': folder,
  'endpoint-reconciler-type': 'none',
  'token-auth-file': join(folder, 'tokens.csv'),
  'authorization-mode': 'RBAC',
  'service-account-issuer': 'https://kubernetes.default.svc',
  'service-account-key-file': join(folder, 'accounts.pub'),
  'service-account-signing-key-file': join(folder, 'accounts.key'),
  'service-cluster-ip-range': '10.0.0.0/24',
  'allow-privileged': 'true',
  // Saves two seconds of start; a test has one client.
  'enable-priority-and-fairness': 'false',
  // It wants of every Pod an account that only a controller would make.
  ...(controllers.includes('serviceaccount') ? {} : { 'disable-admission-plugins': 'ServiceAccount' }),
});

const controllerFlags = ({ folder, kubeconfig }: Place, controllers: readonly string[]) => ({
  kubeconfig,
  controllers: controllers.join(','),
  'leader-elect': 'false',
  'secure-port': '0',
  'service-account-private-key-file': join(folder, 'accounts.key'),
  'kube-api-qps': '500',
  'kube-api-burst': '1000',
});

const schedulerFlags = ({ kubeconfig }: Place) => ({
  kubeconfig,
  'leader-elect': 'false',
  'secure-port': '0',
  'kube-api-qps': '500',
  'kube-api-burst': '1000',
});

async function ready(server: Child, kubectl: Kubectl): Promise<void> {
  const look = async () => server.hasEnded() || (await kubectl.run(['get', '--raw', '/readyz'])).code === 0;
  await eventually('the API server is ready', look);
  if (server.hasEnded()) throw new Error(`the API server ended: ${await server.lastWords()}`);
}

/** CRDs first, because roles and policies refer to them; established before anybody creates an object. */
async function applyPlatform(kubectl: Kubectl): Promise<void> {
  await kubectl.must(['apply', '--server-side', '-f', 'crds']);
  await kubectl.must(['wait', '--for=condition=Established', '--timeout=30s', 'crd', '--all']);
  await kubectl.must(['apply', '--server-side', '-f', 'crds/platform']);
}
