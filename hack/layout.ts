// Every path, address, port, device and cgroup of a cluster, from its name alone: two clusters never share one. Pure: every
// caller that knows the name (a step, a test, `down` after a crash) finds the same things.
import { fileURLToPath } from 'node:url';

/** Clusters that often run at the same time have fixed slots; any other name is hashed. */
const KNOWN_SLOTS: Readonly<Record<string, number>> = { gantry: 0, test: 1, left: 2, test2: 3 };
const SLOTS = 16;
export const MAX_NODES = 8;

export const STATE_ROOT = '/var/lib/gantry';
/** Emptied by a reboot, as containerd expects of its state. */
const RUN_ROOT = '/run/gantry';
const repository = fileURLToPath(new URL('..', import.meta.url));

export interface NodeLayout {
  /** The Node object's name, and its network namespace's. */
  readonly name: string;
  readonly netns: string;
  /** For `nsenter --net=`: `ip netns exec` would remount /sys and hide the cgroups. */
  readonly netnsPath: string;
  /** The host's end of the veth pair; inside the namespace it is `eth0`. */
  readonly veth: string;
  readonly ip: string;
  readonly podCidr: string;
  readonly dir: string;
  readonly runDir: string;
  readonly containerdSocket: string;
  readonly kubeletDir: string;
  /** containerd's `config_path`. */
  readonly registriesDir: string;
  readonly podLogsDir: string;
  /** The storage provisioner's folder of this node's volumes. */
  readonly volumesDir: string;
  /** Below every cgroup hierarchy. */
  readonly cgroupRoot: string;
  /** The CNI network's name; it prefixes files that CNI keeps outside our directory. */
  readonly cniNetwork: string;
}

export interface Layout {
  readonly name: string;
  readonly slot: number;
  /** Holds everything but binaries and the kubeconfig; gone after `down`. */
  readonly dir: string;
  /** Sockets and containerd's state; removed by `down`. */
  readonly runDir: string;
  readonly pkiDir: string;
  readonly pidDir: string;
  readonly logDir: string;
  /** The administrator's, inside the checkout. */
  readonly kubeconfig: string;
  /** The mails that the gateway sent, inside the checkout. */
  readonly mailDir: string;
  /** A model to begin with, inside the checkout. */
  readonly exampleModelDir: string;
  readonly exampleBaseDir: string;
  readonly bridge: { readonly device: string; readonly ip: string; readonly cidr: string };
  readonly podCidr: string;
  /** A part of `podCidr` that no real node has. */
  readonly simulatedPodCidr: string;
  readonly serviceCidr: string;
  readonly apiServiceIp: string;
  readonly dnsIp: string;
  readonly apiServer: string;
  /**
   * `name` appears in image references; `address` is where the host reaches the registry, over plain HTTP; `behind` is where
   * the storage answers to what stands at that address. With INSTALL=helm `name` is the registry of the chart, and this one, which is called `images` everywhere, has only
   * what the cluster itself is made of.
   */
  readonly registry: {
    readonly name: string;
    readonly images: string;
    readonly address: string;
    readonly behind: string;
    readonly dir: string;
    /** Keys and passwords, and what `crane` logs in with. */
    readonly secretsDir: string;
  };
  readonly pauseImage: string;
  /** On loopback. API server (6443), registry (5000, 5001) and DNS are on the bridge's address instead. */
  readonly ports: Readonly<
    Record<
      | 'etcd'
      | 'etcdPeer'
      | 'controllerManager'
      | 'scheduler'
      | 'kwok'
      | 'kueue'
      | 'kueueHealth'
      | 'operator'
      | 'gateway'
      | 'admin'
      | 'portal'
      | 'tenantWeb'
      | 'kubernetes'
      | 'mail'
      | 'payments'
      | 'objectStore'
      | 'prometheus'
      | 'gpuExporter'
      | 'nodeExporter'
      | 'gatewayMetrics'
      | 'kubeStateMetrics'
      | 'kubeStateTelemetry'
      | 'groups'
      | 'groupsHealth',
      number
    >
  >;
  /** In every comment of an iptables rule of ours outside the nodes' namespaces. */
  readonly ruleComment: string;
  readonly nodes: readonly NodeLayout[];
}

export function layout(name: string, nodeCount = 1): Layout {
  // A device name has at most 15 characters, and `-br` and `-n0` come after this one.
  if (!/^[a-z][a-z0-9]{0,9}$/.test(name)) throw new Error(`cluster name "${name}": want 1 to 10 of a-z and 0-9`);
  if (!Number.isInteger(nodeCount) || nodeCount < 0 || nodeCount > MAX_NODES) {
    throw new Error(`NODES=${nodeCount}: want 0 to ${MAX_NODES}`);
  }
  const slot = slotOf(name);
  const dir = `${STATE_ROOT}/${name}`;
  const runDir = `${RUN_ROOT}/${name}`;
  const hosts = `10.${64 + slot}.0`;
  const pods = `10.${80 + slot}`;
  const services = `10.${96 + slot}.0`;
  const port = 21_000 + slot * 50;
  const images = 'images.gantry.internal';
  return {
    name,
    slot,
    dir,
    runDir,
    pkiDir: `${dir}/pki`,
    pidDir: `${dir}/pids`,
    logDir: `${dir}/logs`,
    kubeconfig: `${repository}.run/${name}/kubeconfig`,
    mailDir: `${repository}.run/${name}/mail`,
    exampleModelDir: `${repository}.run/${name}/example-model`,
    exampleBaseDir: `${repository}.run/${name}/example-base`,
    bridge: { device: `${name}-br`, ip: `${hosts}.1`, cidr: `${hosts}.0/24` },
    podCidr: `${pods}.0.0/16`,
    simulatedPodCidr: `${pods}.128.0/17`,
    serviceCidr: `${services}.0/16`,
    apiServiceIp: `${services}.1`,
    dnsIp: `${services}.10`,
    apiServer: `https://${hosts}.1:6443`,
    registry: {
      name: 'registry.gantry.internal',
      images,
      address: `${hosts}.1:5000`,
      behind: `${hosts}.1:5001`,
      dir: `${dir}/registry`,
      secretsDir: `${dir}/registry-secrets`,
    },
    pauseImage: `${images}/gantry/pause:1`,
    ports: {
      etcd: port,
      etcdPeer: port + 1,
      controllerManager: port + 2,
      scheduler: port + 3,
      kwok: port + 4,
      kueue: port + 5,
      kueueHealth: port + 6,
      operator: port + 10,
      gateway: port + 11,
      tenantWeb: port + 12,
      mail: port + 13,
      payments: port + 14,
      kubernetes: port + 15,
      admin: port + 16,
      objectStore: port + 17,
      prometheus: port + 18,
      gpuExporter: port + 19,
      nodeExporter: port + 20,
      gatewayMetrics: port + 21,
      kubeStateMetrics: port + 22,
      kubeStateTelemetry: port + 23,
      groups: port + 24,
      groupsHealth: port + 25,
      portal: port + 26,
    },
    ruleComment: `gantry:${name}`,
    nodes: Array.from({ length: nodeCount }, (_, index) => {
      const node = `${name}-node-${index}`;
      const nodeDir = `${dir}/node-${index}`;
      const nodeRunDir = `${runDir}/node-${index}`;
      return {
        name: node,
        netns: node,
        netnsPath: `/run/netns/${node}`,
        veth: `${name}-n${index}`,
        ip: `${hosts}.${10 + index}`,
        podCidr: `${pods}.${index}.0/24`,
        dir: nodeDir,
        runDir: nodeRunDir,
        containerdSocket: `${nodeRunDir}/containerd.sock`,
        kubeletDir: `${nodeDir}/kubelet`,
        registriesDir: `${nodeDir}/registries`,
        podLogsDir: `${nodeDir}/pod-logs`,
        volumesDir: `${nodeDir}/volumes`,
        cgroupRoot: `/${node}`,
        cniNetwork: node,
      };
    }),
  };
}

function slotOf(name: string): number {
  const known = KNOWN_SLOTS[name];
  if (known !== undefined) return known;
  const taken = Object.keys(KNOWN_SLOTS).length;
  const hash = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7);
  return taken + (hash % (SLOTS - taken));
}

/** Ends in `localhost`, so that every name below it is this machine, for browsers and curl alike. */
export const TENANT_DOMAIN = 'tenants.localhost';
/** The address of tenants' web content and published services. */
export const tenantWeb = ({ ports }: Layout): string => `http://${TENANT_DOMAIN}:${ports.tenantWeb}`;
