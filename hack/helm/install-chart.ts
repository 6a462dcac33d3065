// INSTALL=helm: the platform from its own images and its chart, in Pods, where `make up` otherwise starts processes. The nodes of a
// bare machine differ from others in their folders, and the ways in are ports of this machine.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import { mustCallApi } from '../api-call.ts';
import { binary } from '../binaries.ts';
import { crane } from '../crane.ts';
import { adminUrl, consoleUrl, portalUrl } from '../gateway.ts';
import { pushEngines, type TenantsRegistry } from '../images/engine-images.ts';
import { writeOciLayout } from '../images/oci-layout.ts';
import { buildPlatformImage, FIRST_IMAGES, type PlatformImage, tagOf } from '../images/platform-images.ts';
import { trainerImage } from '../images/trainer.ts';
import { type Layout, TENANT_DOMAIN, tenantWeb } from '../layout.ts';
import { startProcess, stopProcess } from '../process.ts';
import { run } from '../run.ts';
import { DOOR_PORT, sshDoor } from '../ssh-door.ts';
import { writeChanged } from '../write-changed.ts';
import { makeStandIns, valuesOfStandIns } from './stand-ins.ts';

export const CHART = fileURLToPath(new URL('../../charts/gantry', import.meta.url));
const RELEASE = 'gantry';

const valuesFile = ({ dir }: Layout) => `${dir}/helm/values.json`;
const layoutOf = ({ dir }: Layout, image: PlatformImage) => `${dir}/images/${image}.oci`;
const digestsFile = ({ dir }: Layout) => `${dir}/helm/digests.json`;

/** Step. By digest, so that unchanged code restarts nothing. */
export async function pushPlatformImages(cluster: Layout): Promise<void> {
  const digests: Record<string, string> = {};
  for (const name of FIRST_IMAGES) {
    const folder = layoutOf(cluster, name);
    const { image } = await buildPlatformImage(name, cluster.dir);
    digests[name] = await writeOciLayout(folder, image);
    await crane(cluster, ['push', folder, `${cluster.registry.address}/official/${name}:${await tagOf(name)}`]);
  }
  await writeChanged(digestsFile(cluster), JSON.stringify(digests));
}

export const platformDigests = async (cluster: Layout): Promise<Record<string, string>> =>
  JSON.parse(await readFile(digestsFile(cluster), 'utf8'));

interface OtherInstall {
  readonly values?: object;
  readonly chart?: string;
  /** As Helm has it, such as 90s. */
  readonly timeout?: string;
}

/** Step. Waits until all of it is ready. A test may want other values, or another version. */
export async function installChart(cluster: Layout, other: OtherInstall = {}): Promise<void> {
  const { values = await chartValues(cluster), chart = CHART, timeout = '5m' } = other;
  await writeChanged(valuesFile(cluster), JSON.stringify(values, undefined, 2));
  await makeStandIns(cluster);
  await helm(cluster, [
    ...['upgrade', '--install', RELEASE, chart, '--values', valuesFile(cluster)],
    ...['--wait', '--timeout', timeout],
  ]);
}

/** Resolves with standard output. */
export async function helm(cluster: Layout, args: readonly string[]): Promise<string> {
  return run(await binary('helm'), [...args, '--namespace', PLATFORM_NAMESPACE], {
    // The person's own Helm settings must not apply.
    env: {
      KUBECONFIG: cluster.kubeconfig,
      HELM_CONFIG_HOME: `${cluster.dir}/helm`,
      HELM_CACHE_HOME: `${cluster.dir}/helm`,
    },
  });
}

/** Values that differ from the chart's defaults. */
export async function chartValues(cluster: Layout): Promise<Record<string, unknown>> {
  const { registry, ports, nodes, bridge } = cluster;
  const { gateway, ...standIns } = valuesOfStandIns(cluster);
  return {
    ...standIns,
    urls: {
      console: new URL(consoleUrl(cluster)).origin,
      admin: new URL(adminUrl(cluster)).origin,
      portal: new URL(portalUrl(cluster)).origin,
      kubernetes: `https://127.0.0.1:${ports.kubernetes}`,
      tenants: tenantWeb(cluster),
    },
    tenantDomain: TENANT_DOMAIN,
    // One real node, or two, for everybody.
    sharedPool: 'open',
    image: {
      registry: `${registry.images}/official`,
      digests: await platformDigests(cluster),
    },
    // Made once the cluster is up.
    trainer: { image: await trainerImage(cluster) },
    operator: { options: { 'simulated-nodes': 'true', 'data-server-disk-gi': '4' } },
    gateway: {
      ...gateway,
      options: {
        ...gateway.options,
        // A newcomer applies an organisation and an instance, and has no money yet.
        'adopted-credit': '100',
        'smtp-url': `smtp://${bridge.ip}:${ports.mail}`,
        'bank-account': 'TEST MODE: no bank, transfer nothing',
      },
    },
    database: { size: '1Gi' },
    registry: { size: '4Gi' },
    agent: {
      pools: nodes.map(({ name, containerdSocket, kubeletDir, registriesDir }) => ({
        name,
        nodeSelector: { 'kubernetes.io/hostname': name },
        containerdSocket,
        kubeletDir,
        registryHostsDir: registriesDir,
      })),
    },
    door: {
      address: sshDoor(cluster) ?? '',
      // The node whose address the door has.
      nodeSelector: { 'kubernetes.io/hostname': nodes[0]?.name ?? '' },
      service: { type: 'NodePort', nodePort: DOOR_PORT },
    },
    networkPolicy: { apiServerCidrs: [`${bridge.ip}/32`] },
  };
}

/** Step: the images of the examples, where tenants' images are. Elsewhere staff push there what they offer. */
export async function fillRegistry(cluster: Layout): Promise<void> {
  const registry = await tenantsRegistry(cluster);
  await crane(
    cluster,
    ['push', layoutOf(cluster, 'busybox'), `${registry.address}/official/busybox:1.36`],
    registry.login,
  );
  await pushEngines(cluster, registry);
}

async function tenantsRegistry(cluster: Layout): Promise<TenantsRegistry> {
  const address = `${await addressOf(cluster, 'gantry-registry')}:5000`;
  const password = await secretValue(cluster, 'gantry-registry', 'platform.password');
  const login = `${cluster.dir}/helm/login`;
  const auth = Buffer.from(`platform:${password}`).toString('base64');
  await mkdir(login, { recursive: true, mode: 0o700 });
  await writeChanged(`${login}/config.json`, JSON.stringify({ auths: { [address]: { auth } } }), 0o600);
  return { address, login };
}

/** Prints what the proof says; resolves with its exit code. */
export const proveBooksOfPod = (cluster: Layout): Promise<number> => commandOfPod(cluster, 'books', 'verify');

/** Prints what `gantry doctor` finds; resolves with its exit code. */
export const checkClusterOfPod = (cluster: Layout): Promise<number> => commandOfPod(cluster, 'doctor');

/** A command of the gateway, beside the one that runs. */
async function commandOfPod(cluster: Layout, ...words: string[]): Promise<number> {
  const gateway = ['--namespace', PLATFORM_NAMESPACE, 'statefulset/gantry-gateway'];
  const env = { ...process.env, KUBECONFIG: cluster.kubeconfig };
  const args = ['exec', ...gateway, '--', 'gantry', ...words];
  const child = spawn(await binary('kubectl'), args, { stdio: 'inherit', env });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

/** The first administrator's, which the first sign-in changes; staff may delete the Secret after that. */
export const firstPassword = (cluster: Layout): Promise<string | undefined> =>
  secretValue(cluster, 'gantry-administrator', 'password');

async function secretValue(cluster: Layout, name: string, key: string): Promise<string | undefined> {
  const path = `/api/v1/namespaces/${PLATFORM_NAMESPACE}/secrets/${name}`;
  const { status, body } = await mustCallApi(cluster, { path }, [404]);
  return status === 404 ? undefined : Buffer.from(JSON.parse(body).data[key], 'base64').toString();
}

/** Step. Restarted each time: a Service that was made anew has another address. */
export async function openWaysIn(cluster: Layout): Promise<void> {
  const { ports } = cluster;
  const gateway = await addressOf(cluster, 'gantry-gateway');
  const ways = {
    8080: ports.gateway,
    8082: ports.tenantWeb,
    8083: ports.kubernetes,
    8084: ports.admin,
    8085: ports.portal,
  };
  // The card double listens where Pods find it; browsers have its address on loopback.
  const cards = `${ports.payments}=${cluster.bridge.ip}:${ports.payments}`;
  // It has the ports of a gateway that is a process, and its name among processes.
  await stopProcess(cluster, 'gateway');
  await startProcess(cluster, {
    name: 'gateway',
    command: [
      process.execPath,
      fileURLToPath(new URL('relay-process.ts', import.meta.url)),
      ...Object.entries(ways).map(([target, port]) => `${port}=${gateway}:${target}`),
      cards,
    ],
  });
}

/** The Service's own. */
export async function addressOf(cluster: Layout, service: string): Promise<string> {
  const { body } = await mustCallApi(cluster, { path: `/api/v1/namespaces/${PLATFORM_NAMESPACE}/services/${service}` });
  return JSON.parse(body).spec.clusterIP;
}
