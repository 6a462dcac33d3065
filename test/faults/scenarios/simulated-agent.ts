// A node's agent as it is on the wire, for a simulated node, where no real one can run: it renews its Lease, and answers the
// Snapshots of its node with server-side apply as soon as it hears of them. Files it has none.
import { createHash } from 'node:crypto';
import { API_VERSION } from '@gantry/contract/define-kind.ts';
import type { Snapshot, SnapshotStatus } from '@gantry/contract/kinds/snapshot.ts';
import { AGENT_KIND, agentLease, LABEL, PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import type { Node, Pod } from '@gantry/kube/core-objects.ts';
import { callApi } from '../../../hack/api-call.ts';
import type { Claim } from '../../../operator/src/resources.ts';
import type { Arena } from './arena.ts';
import { joinNode, leaveNode, nodePath } from './rented-node.ts';
import { Witness } from './witness.ts';

const RENEWED_EVERY_MS = 20_000;
const GONE = 404;
const SIZE_BYTES = 1000;

export class SimulatedAgent {
  /** Its node, which nothing else goes to: the only one of a model that is called the same. */
  readonly node: string;
  readonly snapshots: Witness<Snapshot>;
  readonly claims: Witness<Claim>;
  /** Its failures: must be empty, or the test is worthless. */
  readonly failures: string[] = [];
  /** Snapshots that it carries out; it stays silent about others, as one under load would for a long time. */
  carriesOut: (one: Snapshot) => boolean = () => true;
  readonly #arena: Arena;
  readonly #answered = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  private constructor(arena: Arena, node: string, seen: Pick<SimulatedAgent, 'snapshots' | 'claims'>) {
    this.#arena = arena;
    this.node = node;
    this.snapshots = seen.snapshots;
    this.claims = seen.claims;
  }

  /** With its own node. */
  static async join(arena: Arena, node: string): Promise<SimulatedAgent> {
    const { cluster } = arena;
    await joinNode(arena, node);
    const [snapshots, claims] = await Promise.all([
      Witness.of<Snapshot>(cluster, `/apis/${API_VERSION}/snapshots`),
      Witness.of<Claim>(cluster, '/api/v1/persistentvolumeclaims'),
    ]);
    const agent = new SimulatedAgent(arena, node, { snapshots, claims });
    await agent.#renew();
    agent.#timer = setInterval(() => agent.#logFailure(agent.#renew()), RENEWED_EVERY_MS);
    snapshots.listen((one) => agent.#hears(one));
    return agent;
  }

  async leave(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([this.snapshots.stop(), this.claims.stop()]);
    await leaveNode(this.#arena, this.node);
  }

  async #renew(): Promise<void> {
    const { metadata } = await this.#arena.call<Node>({ path: nodePath(this.node) });
    const name = agentLease(this.node);
    const owner = { apiVersion: 'v1', kind: 'Node', name: metadata.name, uid: metadata.uid };
    await this.#apply(`/apis/coordination.k8s.io/v1/namespaces/${PLATFORM_NAMESPACE}/leases/${name}`, {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name, labels: { [LABEL.kind]: AGENT_KIND }, ownerReferences: [owner] },
      spec: { holderIdentity: name, renewTime: new Date().toISOString().replace('Z', '000Z') },
    });
  }

  #hears(one: Snapshot): void {
    const { uid = '' } = one.metadata;
    if (one.spec.node !== this.node || one.status?.phase || this.#answered.has(uid) || !this.carriesOut(one)) return;
    this.#answered.add(uid);
    this.#logFailure(this.#saves(one));
  }

  async #saves(one: Snapshot): Promise<void> {
    const startedAt = now();
    await this.#says(one, { phase: 'processing', reason: 'Saving', startedAt, attempts: 1 });
    if (!(await this.#hasFilesFor(one)))
      return this.#says(one, { phase: 'failed', reason: one.spec.of === 'Log' ? 'LogGone' : 'ContainerGone' });
    const ended = { startedAt, finishedAt: now(), attempts: 1 };
    if (one.spec.of === 'Log')
      return this.#says(one, { phase: 'ready', reason: 'LogSaved', log: { bytes: 1, isCut: false }, ...ended });
    const run = Number(one.metadata.labels?.[LABEL.run]);
    const digest = `sha256:${createHash('sha256').update(`${one.spec.of} ${run}`).digest('hex')}`;
    await this.#says(one, {
      phase: 'ready',
      reason: 'Saved',
      reasonArgs: { digest },
      digest,
      sizeBytes: SIZE_BYTES,
      ...(one.spec.of === 'Root' && { totalBytes: run * SIZE_BYTES, layers: run }),
      ...ended,
    });
  }

  /** A root or a log has files once its container ended, a home while its holder runs. */
  async #hasFilesFor({ metadata: { namespace }, spec }: Snapshot): Promise<boolean> {
    const pod = await this.#arena.get<Pod>(`/api/v1/namespaces/${namespace}/pods/${spec.podName}`);
    if (pod?.metadata.uid !== spec.podUID || !pod) return false;
    const runs = pod.status?.containerStatuses?.[0]?.state?.running !== undefined;
    return spec.of === 'Home' ? runs : !runs && hasRun(pod);
  }

  async #says({ apiVersion, kind, metadata }: Snapshot, status: SnapshotStatus): Promise<void> {
    const { name, namespace } = metadata;
    const body = { apiVersion, kind, metadata: { name, namespace }, status: { ...status, message: '' } };
    await this.#apply(`/apis/${API_VERSION}/namespaces/${namespace}/snapshots/${name}/status`, body);
  }

  /** An object that was deleted meanwhile needs no answer. */
  async #apply(path: string, body: object): Promise<void> {
    const { status, body: answer } = await callApi(this.#arena.cluster, {
      method: 'PATCH',
      path: `${path}?fieldManager=gantry-agent&force=true`,
      contentType: 'application/apply-patch+yaml',
      body,
    });
    if (status >= 300 && status !== GONE) throw new Error(`${path}: ${status} ${answer.slice(0, 300)}`);
  }

  #logFailure(work: Promise<void>): void {
    work.catch((error) => this.failures.push(String(error)));
  }
}

const now = (): string => new Date().toISOString().replace(/\.\d+/, '');

/** One that ended before it began says so by the year 1970. */
const hasRun = ({ status }: Pod): boolean =>
  Date.parse(status?.containerStatuses?.[0]?.state?.terminated?.startedAt ?? '') > 0;
