// One containerd per real node: its own root, state, socket and network namespace.
import { mkdir } from 'node:fs/promises';
import type { Layout, NodeLayout } from './layout.ts';
import { startProcess, waitReady } from './process.ts';
import { succeeds } from './run.ts';
import { writeChanged } from './write-changed.ts';

const containerdName = (node: NodeLayout) => `containerd-${node.name}`;

export async function startContainerd(cluster: Layout, node: NodeLayout): Promise<void> {
  await writeRegistryHosts(cluster, node, cluster.registry.images);
  await writeCniConfig(node);
  await mkdir(node.runDir, { recursive: true });
  await writeChanged(`${node.dir}/containerd.toml`, config(cluster, node));
  await startProcess(cluster, {
    name: containerdName(node),
    command: ['containerd', '--config', `${node.dir}/containerd.toml`],
    netnsPath: node.netnsPath,
  });
  await waitReady(cluster, containerdName(node), () =>
    succeeds('ctr', ['--address', node.containerdSocket, 'version']),
  );
}

const config = ({ pauseImage }: Layout, node: NodeLayout) => `
version = 2
root = "${node.dir}/containerd"
state = "${node.runDir}/containerd"
disabled_plugins = ["io.containerd.snapshotter.v1.aufs", "io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.devmapper", "io.containerd.snapshotter.v1.zfs", "io.containerd.tracing.processor.v1.otlp", "io.containerd.internal.v1.tracing"]

[grpc]
  address = "${node.containerdSocket}"

[plugins."io.containerd.internal.v1.opt"]
  path = "${node.dir}/opt"

[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${pauseImage}"
  # Without CAP_SYS_RESOURCE every sandbox would fail with "can't get final child's PID from pipe: EOF".
  restrict_oom_score_adj = true
  stream_server_address = "127.0.0.1"
  # Below our own directory, where \`down\` finds them.
  netns_mounts_under_state_dir = true

  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${node.dir}/cni"

  [plugins."io.containerd.grpc.v1.cri".registry]
    config_path = "${node.registriesDir}"

  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "overlayfs"

    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"

      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
        Root = "${node.runDir}/runc"
        SystemdCgroup = false
`;

/** Step. Where the chart is installed, its agents say where tenants' images are. */
export const nameRegistry = (cluster: Layout, node: NodeLayout): Promise<void> =>
  writeRegistryHosts(cluster, node, cluster.registry.name);

/** The name stands for an address on the bridge that speaks plain HTTP. */
async function writeRegistryHosts({ registry }: Layout, node: NodeLayout, name: string): Promise<void> {
  const dir = `${node.registriesDir}/${name}`;
  const url = `http://${registry.address}`;
  await writeChanged(
    `${dir}/hosts.toml`,
    `server = "${url}"\n[host."${url}"]\n  capabilities = ["pull", "resolve", "push"]\n`,
  );
}

async function writeCniConfig(node: NodeLayout): Promise<void> {
  const ipam = {
    type: 'host-local',
    ranges: [[{ subnet: node.podCidr }]],
    routes: [{ dst: '0.0.0.0/0' }],
    dataDir: `${node.dir}/cni-addresses`,
  };
  await writeChanged(
    `${node.dir}/cni/10-${node.cniNetwork}.conflist`,
    JSON.stringify({
      cniVersion: '1.0.0',
      name: node.cniNetwork,
      plugins: [
        { type: 'ptp', ipMasq: false, ipam },
        { type: 'portmap', capabilities: { portMappings: true } },
      ],
    }),
  );
}
