// The stage of one file of stories: the test cluster, its own operator, and organisations that are removed at the end.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { API_VERSION, type KubeObject } from '@gantry/contract/define-kind.ts';
import type { GpuInstance, GpuInstanceSpec } from '@gantry/contract/kinds/gpu-instance.ts';
import type { Organization } from '@gantry/contract/kinds/organization.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { ANNOTATION, FINALIZER, organizationNamespace } from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { mustCallApi } from '../../hack/api-call.ts';
import type { Layout } from '../../hack/layout.ts';
import { operatorFlags } from '../../hack/platform.ts';
import type { OperatorProcess } from '../faults/operator-process.ts';
import { kubeconfigOf } from '../support/account.ts';
import { gpuInstance } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { type Kubectl, kubectlWith } from '../support/kubectl.ts';
import { startOperator } from '../support/operator.ts';
import { type Administrator, testCluster } from '../support/test-cluster.ts';
import { Following } from './following.ts';
import { INSTANCES, Instance } from './instance.ts';

const ORGANIZATIONS = '/apis/gantry.dev/v1alpha1/organizations';
const DELETED_WITHIN_MS = 90_000;

/** The defaults of every instance in stories: small, so that a dozen fit on two cores. */
export const SMALL: Partial<GpuInstanceSpec> = {
  image: 'registry.gantry.internal/official/busybox:1.36',
  cores: 0.1,
  memoryGi: 0.125,
  homeDisk: { sizeGi: 1 },
};

type Part = 'cluster' | 'kubectl' | 'operator' | 'instances' | 'pods' | 'organizations' | 'folder';

/** The operator's flags; some contain an address of the cluster. */
type Flag = string | ((cluster: Layout) => string);

export class Stage {
  readonly cluster: Layout;
  /** As the cluster's administrator. */
  readonly kubectl: Kubectl;
  readonly operator: OperatorProcess;
  readonly instances: Following<GpuInstance>;
  readonly pods: Following<Pod>;
  readonly organizations: Following<Organization>;
  readonly folder: string;
  readonly #made: Tenant[] = [];

  private constructor(parts: Pick<Stage, Part>) {
    this.cluster = parts.cluster;
    this.kubectl = parts.kubectl;
    this.operator = parts.operator;
    this.instances = parts.instances;
    this.pods = parts.pods;
    this.organizations = parts.organizations;
    this.folder = parts.folder;
  }

  static async set(flags: readonly Flag[]): Promise<Stage> {
    const { kubeconfig, kubectl, layout: cluster } = await testCluster();
    const own = flags.map((flag) => (typeof flag === 'string' ? flag : flag(cluster)));
    const operatorArgs = [...(await operatorFlags(cluster)), '--leader-elect=false', ...own];
    // First, because a watch left open by an operator that does not start would keep the test run from ending.
    const operator = await startOperator({ kubeconfig, kubectl }, ...operatorArgs);
    const [instances, pods, organizations, folder] = await Promise.all([
      Following.start<GpuInstance>(cluster, INSTANCES),
      Following.start<Pod>(cluster, '/api/v1/pods'),
      Following.start<Organization>(cluster, ORGANIZATIONS),
      mkdtemp(join(tmpdir(), 'gantry-stage-')),
    ]);
    return new Stage({ cluster, kubectl, operator, instances, pods, organizations, folder });
  }

  /** Ready when it resolves. The name is its own each time: what a broken run left does not stand in the way. */
  async organization(name: string, spec: object = {}): Promise<Tenant> {
    const id = `${name}-${Date.now().toString(36).slice(-6)}`;
    const object = { apiVersion: API_VERSION, kind: 'Organization', metadata: { name: id }, spec };
    await mustCallApi(this.cluster, { method: 'POST', path: ORGANIZATIONS, body: object });
    const tenant = this.adopt(id);
    await tenant.isReady();
    return tenant;
  }

  /** The administrator's kubeconfig and kubectl. */
  get admin(): Administrator {
    return { kubeconfig: this.cluster.kubeconfig, kubectl: this.kubectl };
  }

  /** Also removes, at the end, an organisation that somebody else created. */
  adopt(id: string): Tenant {
    const tenant = new Tenant(this, id);
    this.#made.push(tenant);
    return tenant;
  }

  #podsLeft(): string[] {
    const namespaces = new Set(this.#made.map(({ namespace }) => namespace));
    return this.pods
      .living()
      .filter(({ metadata }) => namespaces.has(metadata.namespace ?? ''))
      .map(({ metadata }) => metadata.name);
  }

  /** The objects that billing still holds: once the file's gateway is gone, nothing frees them any more, nor their organisation. */
  async #unbilled(): Promise<string[]> {
    const kinds = Object.values(KINDS).filter(({ scope }) => scope === 'Namespaced');
    const calls = this.#made.flatMap(({ namespace }) =>
      kinds.map(({ plural }) => `/apis/${API_VERSION}/namespaces/${namespace}/${plural}`),
    );
    // After the platform has been removed there are no kinds.
    const answers = await Promise.all(calls.map((path) => mustCallApi(this.cluster, { path }, [404])));
    return answers
      .flatMap(({ status, body }): KubeObject[] => (status === 404 ? [] : JSON.parse(body).items))
      .filter(({ metadata }) => metadata.finalizers?.includes(FINALIZER.billing))
      .map(({ metadata }) => metadata.name);
  }

  /**
   * Whatever the stories made is given up, no Pod of it runs any more, and it is billed, when it resolves. What Kubernetes takes its
   * time over then, the rest of a namespace, the next file's operator takes up: it has the same finalizers to take off.
   */
  async clear(): Promise<void> {
    try {
      await Promise.all(this.#made.map((tenant) => tenant.delete()));
      await this.pods.until(
        () => `no Pod is left; ${this.#podsLeft()}`,
        () => this.#podsLeft().length === 0 || undefined,
        DELETED_WITHIN_MS,
      );
      await eventually(
        'all is billed',
        async () => expect(await this.#unbilled()).toEqual([]) ?? true,
        DELETED_WITHIN_MS,
      );
    } finally {
      await this.operator.close();
      for (const following of [this.instances, this.pods, this.organizations]) following.stop();
      await rm(this.folder, { recursive: true, force: true });
    }
  }
}

/** An organisation and its members. */
export class Tenant {
  readonly id: string;
  readonly namespace: string;
  readonly #stage: Stage;

  constructor(stage: Stage, id: string) {
    this.#stage = stage;
    this.id = id;
    this.namespace = organizationNamespace(id);
  }

  get path(): string {
    return `${ORGANIZATIONS}/${this.id}`;
  }

  get now(): Organization | undefined {
    return this.#stage.organizations.latest('', this.id);
  }

  /** An instance made by the platform's staff, without GPU unless the spec says so. */
  async instance(name: string, spec: Partial<GpuInstanceSpec> = {}): Promise<Instance> {
    const { namespace } = this;
    const body = gpuInstance({ name, namespace, spec: { ...SMALL, ...spec } });
    const path = `/apis/gantry.dev/v1alpha1/namespaces/${namespace}/gpuinstances`;
    await mustCallApi(this.#stage.cluster, { method: 'POST', path, body });
    const dev = this.known(name);
    await dev.isThere();
    return dev;
  }

  /** One that somebody else makes. */
  known(name: string): Instance {
    return new Instance(this.#stage, this.namespace, name);
  }

  /** kubectl as a member, with the rights of that member's own ServiceAccount. */
  async kubectlAs(account: string): Promise<Kubectl> {
    const { cluster, kubectl, folder } = this.#stage;
    const { namespace } = this;
    const text = await kubeconfigOf({ namespace, name: account }, { kubeconfig: cluster.kubeconfig, kubectl });
    const file = join(folder, `${this.id}-${account}`, 'kubeconfig');
    await mkdir(dirname(file));
    await writeFile(file, text, { mode: 0o600 });
    return kubectlWith(file);
  }

  async isReady(): Promise<void> {
    await this.becomes('ready', ({ status }) => status?.phase === 'ready');
  }

  async becomes(what: string, is: (now: Organization) => boolean, limitMs = 60_000): Promise<void> {
    const story = () => `organisation ${this.id} is ${what}; ${JSON.stringify(this.now?.status)}`;
    await this.#stage.organizations.until(story, () => (this.now && is(this.now)) || undefined, limitMs);
  }

  /** Changes the spec. */
  async wish(spec: object): Promise<void> {
    await this.#change({ spec });
  }

  async delete(): Promise<void> {
    if (!this.now) return;
    await this.#change({ metadata: { annotations: { [ANNOTATION.confirmDelete]: this.id } } });
    await mustCallApi(this.#stage.cluster, { method: 'DELETE', path: this.path });
  }

  async #change(body: object): Promise<void> {
    const contentType = 'application/merge-patch+json';
    await mustCallApi(this.#stage.cluster, { method: 'PATCH', path: this.path, contentType, body });
  }

  async isGone(): Promise<void> {
    const gone = () => this.#stage.organizations.states('', this.id).at(-1)?.isLast || undefined;
    const what = () => `organisation ${this.id} is gone; ${this.now?.status?.message}`;
    await this.#stage.organizations.until(what, gone, DELETED_WITHIN_MS);
  }
}

/** Sets the stage before a file's first story and clears it after the last; flags are the operator's. */
export function setStage(...flags: Flag[]): () => Stage {
  let stage: Stage | undefined;
  beforeAll(async () => {
    stage = await Stage.set(flags);
  });
  afterAll(() => stage?.clear());
  return () => {
    if (!stage) throw new Error('the stage is set once the stories begin');
    return stage;
  };
}
