// A real node that falls silent and comes back. Its containers keep running meanwhile, as behind a cut cable.
import { readdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Node, Pod } from '@gantry/kube/core-objects.ts';
import { mustCallApi } from '../../hack/api-call.ts';
import { startContainerd } from '../../hack/containerd.ts';
import { startKubelet, waitNodeReady } from '../../hack/kubelet.ts';
import type { Layout, NodeLayout } from '../../hack/layout.ts';
import { findProcess, stopProcess } from '../../hack/process.ts';
import { run } from '../../hack/run.ts';

export class RealNode {
  readonly #cluster: Layout;
  readonly #node: NodeLayout;

  private constructor(cluster: Layout, node: NodeLayout) {
    this.#cluster = cluster;
    this.#node = node;
  }

  /** The one a Pod runs on. */
  static of(cluster: Layout, pod: Pod): RealNode {
    const node = cluster.nodes.find(({ name }) => name === pod.spec?.nodeName);
    if (!node) throw new Error(`${pod.metadata.name} runs on ${pod.spec?.nodeName}, which is no real node`);
    return new RealNode(cluster, node);
  }

  static all(cluster: Layout): readonly RealNode[] {
    return cluster.nodes.map((node) => new RealNode(cluster, node));
  }

  get name(): string {
    return this.#node.name;
  }

  /** SIGSTOP to its kubelet: no heartbeat, no answer. */
  async fallsSilent(): Promise<void> {
    await this.#signal(`kubelet-${this.name}`, 'SIGSTOP');
  }

  /** SIGCONT: it speaks again, and knows nothing of the gap. */
  async speaksAgain(): Promise<void> {
    await this.#signal(`kubelet-${this.name}`, 'SIGCONT');
  }

  /** SIGKILL to its kubelet. */
  async losesKubelet(): Promise<void> {
    await stopProcess(this.#cluster, `kubelet-${this.name}`, 0);
  }

  /** Also after the Node was deleted: it joins again. */
  async startsKubelet(): Promise<void> {
    await startKubelet(this.#cluster, this.#node);
    await waitNodeReady(this.#cluster, this.#node);
  }

  /** SIGKILL to containerd. */
  async losesContainerd(): Promise<void> {
    await stopProcess(this.#cluster, `containerd-${this.name}`, 0);
  }

  /** SIGKILL to containerd, which is started again at once; the containers are not its children. */
  async restartsContainerd(): Promise<void> {
    await this.losesContainerd();
    await startContainerd(this.#cluster, this.#node);
  }

  /** SIGKILL to its agent. */
  async losesAgent(): Promise<void> {
    await killAgent(this.#node);
  }

  /** Saves of ended containers: the agent's own marks in containerd. */
  async savesKept(): Promise<number> {
    return (await this.#ctr('snapshots', 'ls')).filter((line) => line.startsWith('gantry-')).length;
  }

  /** containerd's stored content. */
  async room(): Promise<{ snapshots: number; images: number; bytes: number }> {
    const [snapshots, images] = await Promise.all([this.#ctr('snapshots', 'ls'), this.#ctr('images', 'ls', '-q')]);
    const bytes = Number((await run('du', ['-sxb', `${this.#node.dir}/containerd`])).split('\t')[0]);
    return { snapshots: snapshots.length - 1, images: images.length, bytes };
  }

  async #ctr(...args: string[]): Promise<readonly string[]> {
    const text = await run('ctr', ['--address', this.#node.containerdSocket, '--namespace', 'k8s.io', ...args]);
    return text.trim().split('\n');
  }

  /** SIGKILL from outside to process 1 of a Pod's main container. */
  async killsProcessOne(pod: Pod): Promise<void> {
    process.kill(await this.#processOne(pod), 'SIGKILL');
  }

  /** How many processes the kernel lets the Pod have, all containers together. */
  async processLimit(pod: Pod): Promise<string> {
    const cgroups = await readFile(`/proc/${await this.#processOne(pod)}/cgroup`, 'utf8');
    // cgroup v1 has one line for each controller, "4:pids:<path>"; v2 has one line, "0::<path>".
    const [, controller = '', path = ''] = /^\d+:(pids|):(.*)$/m.exec(cgroups) ?? [];
    return (await readFile(`/sys/fs/cgroup/${controller}${dirname(path)}/pids.max`, 'utf8')).trim();
  }

  async #processOne(pod: Pod): Promise<number> {
    const uid = pod.metadata.uid ?? '';
    for (const pid of (await readdir('/proc')).filter((name) => /^[0-9]+$/.test(name))) {
      const [cgroup, command] = await Promise.all(
        ['cgroup', 'cmdline'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
      );
      const isInside = cgroup?.includes(uid) || cgroup?.includes(uid.replaceAll('-', '_'));
      if (isInside && command?.startsWith('/gantry/bin/agent\0init\0')) return Number(pid);
    }
    throw new Error(`${pod.metadata.name} has no process 1 on this machine`);
  }

  /** Its last heartbeat, at a whole second as intervals begin and end. Milliseconds. */
  async heartbeat(): Promise<number> {
    const path = `/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${this.name}`;
    const { renewTime } = JSON.parse((await mustCallApi(this.#cluster, { path })).body).spec;
    return Math.floor(Date.parse(renewTime) / 1000) * 1000;
  }

  /** Since when Kubernetes knows it Ready. */
  async readySince(): Promise<string> {
    return `${(await this.#readiness())?.lastTransitionTime}`;
  }

  /** Whether Kubernetes takes it for one that answers. */
  async isReady(): Promise<boolean> {
    return (await this.#readiness())?.status === 'True';
  }

  async #readiness() {
    const { body } = await mustCallApi(this.#cluster, { path: `/api/v1/nodes/${this.name}` });
    const { status }: Node = JSON.parse(body);
    return status?.conditions?.find(({ type }) => type === 'Ready');
  }

  /** Does what an administrator does with a machine that will not come back. */
  async isDeleted(): Promise<void> {
    await mustCallApi(this.#cluster, { method: 'DELETE', path: `/api/v1/nodes/${this.name}` });
  }

  async #signal(process_: string, signal: NodeJS.Signals): Promise<void> {
    const found = await findProcess(this.#cluster, process_);
    if (!found) throw new Error(`${process_} does not run`);
    process.kill(found.pid, signal);
  }
}

/** SIGKILL to the agent of a node. */
export async function killAgent(node: NodeLayout): Promise<void> {
  for (const pid of (await readdir('/proc')).filter((name) => /^[0-9]+$/.test(name))) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (!command.startsWith('/node-agent\0run\0') || !command.includes(node.containerdSocket)) continue;
    process.kill(Number(pid), 'SIGKILL');
    return;
  }
  throw new Error(`no agent of ${node.name} runs`);
}
