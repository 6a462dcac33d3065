// What `up` does, as a table: a step begins as soon as every step it names in `after` is done, so independent ones run
// together. A step looks at what is there and does only what is missing. To add one: a function of the layout, a row.
import { makeCertificates } from './certificates.ts';
import { startContainerd } from './containerd.ts';
import { startApiServer, startControllerManager, startEtcd, startScheduler } from './control-plane.ts';
import { pushCorednsImage, startCoredns } from './coredns.ts';
import { installPackages } from './debian-packages.ts';
import { changeHostSettings } from './host-settings.ts';
import { startKubelet, startKubeProxy, waitNodeReady } from './kubelet.ts';
import type { Layout, NodeLayout } from './layout.ts';
import { makeNetwork } from './network.ts';
import { refuseTakenPorts } from './ports.ts';
import { startRegistry } from './registry.ts';

export interface Step {
  readonly name: string;
  readonly after: readonly string[];
  readonly up: (cluster: Layout) => Promise<unknown>;
}

const onEveryNode =
  (start: (cluster: Layout, node: NodeLayout) => Promise<unknown>): Step['up'] =>
  (cluster) =>
    Promise.all(cluster.nodes.map((node) => start(cluster, node)));

/** Whatever a step starts or makes, `teardown.ts` finds by the cluster's folder, name or cgroup. */
export const steps: readonly Step[] = [
  { name: 'Debian packages', after: [], up: installPackages },
  { name: 'ports', after: ['Debian packages'], up: refuseTakenPorts },
  { name: 'host settings', after: ['ports'], up: changeHostSettings },
  { name: 'certificates', after: ['ports'], up: makeCertificates },
  { name: 'network', after: ['host settings'], up: makeNetwork },
  { name: 'etcd', after: ['ports'], up: startEtcd },
  { name: 'API server', after: ['etcd', 'certificates', 'network'], up: startApiServer },
  { name: 'controller manager', after: ['API server'], up: startControllerManager },
  { name: 'scheduler', after: ['API server'], up: startScheduler },
  { name: 'registry', after: ['network'], up: startRegistry },
  { name: 'containerd', after: ['network'], up: onEveryNode(startContainerd) },
  { name: 'kubelet', after: ['API server', 'containerd'], up: onEveryNode(startKubelet) },
  { name: 'kube-proxy', after: ['kubelet'], up: onEveryNode(startKubeProxy) },
  { name: 'nodes ready', after: ['kubelet', 'controller manager'], up: onEveryNode(waitNodeReady) },
  { name: 'CoreDNS image', after: ['registry'], up: pushCorednsImage },
  { name: 'CoreDNS', after: ['API server'], up: startCoredns },
];
