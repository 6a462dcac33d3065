// The operator's configuration: its options, and what plans are given of them.
import { MOST_RUNS } from '@gantry/contract/fields/runs.ts';
import { DEVICE_LISTS } from '@gantry/contract/gpu-access.ts';
import { PLATFORM_NAMESPACE, REGISTRY } from '@gantry/contract/names.ts';
import {
  choice,
  duration,
  flag,
  type Keyed,
  keyedBy,
  labelValue,
  list,
  named,
  option,
  optionsHelp,
  port,
  readOptions,
  taintKey,
  taintKeys,
  type ValuesOf,
} from '@gantry/kube/options.ts';
import { POOL_RULES, SHARED_POOLS } from '@gantry/kube/placement.ts';
import * as z from 'zod';

const cidr = z.union([z.cidrv4(), z.cidrv6()], 'must be networks such as 10.0.0.0/8, joined by commas');
const cidrs = list.pipe(z.array(cidr));
const registry = z
  .string()
  .regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?(:[0-9]{1,5})?$/, 'must be registries such as registry.corp.internal:5000');
const hostAndPort = z
  .string()
  .regex(/^$|^[a-z0-9]([-a-z0-9.]*[a-z0-9])?:[0-9]{1,5}$/, 'must be a host and a port such as ssh.example.org:22');
const serviceUrl = z
  .string()
  .regex(
    /^$|^https?:\/\/[a-z0-9]([-a-z0-9.]*[a-z0-9])?(:[0-9]{1,5})?\/?$/,
    'must be a scheme, a host and perhaps a port such as https://tenants.example',
  );
/** Its Pods are the tenants' to look at. */
const proxyUrl = z
  .string()
  .regex(
    /^$|^https?:\/\/[a-z0-9]([-a-z0-9.]*[a-z0-9])?(:[0-9]{1,5})?\/?$/,
    'must be a scheme, a host and perhaps a port such as http://proxy.example.org:3128, without a password',
  );
const wholeNumber = z.coerce
  .number('must be a whole number')
  .int('must be a whole number')
  .min(1, 'must be at least 1');

const MOST_DATA_DISK_GI = 1024;

/** The settings of plans. */
const SETTINGS = {
  creditGate: option(choice(['required', 'off']), 'required', 'whether whatever costs waits for credit to be reserved'),
  sharedPool: option(
    choice(SHARED_POOLS),
    POOL_RULES.sharedPool,
    'how tenants share nodes: one at a time, under a sandboxing runtime, or freely',
  ),
  gpuDeviceList: option(
    choice(DEVICE_LISTS),
    'envvar',
    "how NVIDIA's device plugin hands GPUs to containers, as its own deviceListStrategy says",
  ),
  agentImage: option(named, `${REGISTRY}/official/agent:1`, 'image of the agent put into instances'),
  createTimeoutMs: option(duration, '15m', 'how long an instance that has a place may take to be ready'),
  allowedCidrs: option(cidrs, '', 'networks that instances may reach besides the internet and their own organisation'),
  allowedRegistries: option(
    list.pipe(z.array(registry)),
    '',
    'registries that are not on the internet from which images may come all the same, as host[:port]',
  ),
  imageProxy: option(
    proxyUrl,
    '',
    'proxy through which registries on the internet are asked for the sizes of images, such as http://proxy.example.org:3128; --allowed-cidrs must let Pods reach it, and nodes that pull have their own',
  ),
  clusterCidrs: option(
    cidrs,
    '',
    'Pod, Service and node networks to close to instances, where they are public addresses',
  ),
  dnsCidrs: option(cidrs, '', 'where instances may ask for names, besides the Pods labelled kube-dns'),
  probeImage: option(named, `${REGISTRY}/official/busybox:1.36`, 'image with sh and nc that tries out isolation'),
  probeEveryMs: option(duration, '10m', "how often an organisation's isolation is tried out"),
  dataServerImage: option(
    named,
    `${REGISTRY}/official/data-worker:1`,
    'image that reads datasets of organisations: of their data servers, and of workers of data tasks',
  ),
  trainerImage: option(
    z.string(),
    '',
    'image that trains models, of workers of fine-tuning tasks; while it is empty, these tasks wait',
  ),
  dataServerDiskGi: option(
    wholeNumber.max(MOST_DATA_DISK_GI, `must be at most ${MOST_DATA_DISK_GI}`),
    '20',
    'GiB of a node that this server gets for the datasets that it works on; half of it for what arrives',
  ),
  hostTaintKey: option(
    taintKey,
    POOL_RULES.hostTaintKey,
    'key of the taint that keeps strangers off the nodes of a host',
  ),
  serviceUrl: option(
    serviceUrl,
    '',
    'services are published at <name>.<organisation> below its host, such as https://tenants.example; none when empty',
  ),
  sshDoor: option(hostAndPort, '', 'where tenants reach the SSH door; none when empty'),
  logRuns: option(
    wholeNumber.max(MOST_RUNS, `must be at most ${MOST_RUNS}`),
    `${MOST_RUNS}`,
    'how many ended runs of an object keep their logs',
  ),
  logDays: option(wholeNumber, '14', 'for how many days after its end the log of a run is kept'),
  queue: option(
    choice(['auto', 'kueue', 'none']),
    'auto',
    'what queues jobs; auto: Kueue, if the cluster has it at the start',
  ),
  groups: option(
    choice(['auto', 'lws', 'none']),
    'auto',
    'what spreads a replica of a model over nodes; auto: LeaderWorkerSet, if the cluster has it at the start',
  ),
  gpuTaints: option(
    taintKeys,
    POOL_RULES.gpuTaints.join(','),
    'keys of taints on GPU nodes that whatever asks for a GPU tolerates, joined by commas',
  ),
  simulatedNodes: option(flag, 'false', 'let instances run on simulated (KWOK) nodes too'),
} as const;

/** The settings of the process itself. */
const PROCESS = {
  platformKeyFile: option(z.string(), '', 'file of 32 or more random bytes that passwords of the platform derive from'),
  region: option(
    labelValue,
    'us-east',
    'data centre of this cluster, as the gateway has it; all objects are labelled with it',
  ),
  kubeconfig: option(z.string(), '', 'a kubeconfig; else KUBECONFIG, ~/.kube/config, or the account of our own Pod'),
  installCrds: option(flag, 'false', "apply the kinds' CRDs at start, with the role in crds/install-crds/"),
  healthHost: option(named, '127.0.0.1', 'address on which /healthz, /readyz and /metrics are served'),
  healthPort: option(port, '8081', 'their port'),
  leaderElect: option(flag, 'true', 'wait for the Lease before working; false only where no second operator can be'),
  leaseNamespace: option(named, PLATFORM_NAMESPACE, "the Lease's namespace"),
  leaseName: option(named, 'gantry-operator', "the Lease's name"),
  workers: option(wholeNumber, '16', 'objects of one kind worked on at once'),
  resyncMs: option(duration, '10m', 'how often every object is looked at again; SIGUSR2 does it at once'),
  logLevel: option(choice(['trace', 'debug', 'info', 'warn', 'error']), 'info', 'least level that is logged'),
} as const;

/** All options of an operator; the chart has the same table. */
export const OPTIONS = { ...SETTINGS, ...PROCESS };

interface Detected {
  queue: 'kueue' | 'none';
  groups: 'lws' | 'none';
}
/** Durations are milliseconds. */
export type Settings = Omit<ValuesOf<typeof SETTINGS>, keyof Detected> & { keyed: Keyed } & Detected;
/** `queue` and `groups` are wishes; the settings have what is wished for until the cluster is known not to. */
export type Config = ValuesOf<typeof PROCESS> &
  Pick<ValuesOf<typeof SETTINGS>, keyof Detected> & { settings: Settings };

/** Gives 'help' when asked for it. Throws BadConfig. */
export function readConfig(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Config | 'help' {
  const values = readOptions(OPTIONS, args, environment);
  if (values === 'help') return 'help';
  const settings = Object.fromEntries(
    Object.keys(SETTINGS).map((name) => [name, values[name as keyof typeof SETTINGS]]),
  );
  const queue = values.queue === 'none' ? 'none' : 'kueue';
  const groups = values.groups === 'none' ? 'none' : 'lws';
  return { ...values, settings: { ...settings, queue, groups, keyed: keyedBy(values.platformKeyFile) } as Settings };
}

export const helpText = (): string => optionsHelp('Gantry operator: reconciles every kind of gantry.dev.', OPTIONS);
