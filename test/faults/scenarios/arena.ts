// The setting of one file of scenarios: the test cluster, the operator behind a fault proxy with its ServiceAccount's rights, and
// an observer that bypasses the proxy.

import { readFile } from 'node:fs/promises';
import { API_VERSION, type KubeObject } from '@gantry/contract/define-kind.ts';
import type { ContainerService } from '@gantry/contract/kinds/container-service.ts';
import type { DataProcess } from '@gantry/contract/kinds/data-process.ts';
import type { Evaluation } from '@gantry/contract/kinds/evaluation.ts';
import type { FineTune } from '@gantry/contract/kinds/fine-tune.ts';
import type { GpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import type { Job } from '@gantry/contract/kinds/job.ts';
import type { Organization } from '@gantry/contract/kinds/organization.ts';
import { ANNOTATION, OPERATOR_ACCOUNT, organizationNamespace, PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { type ApiCall, callApi, mustCallApi } from '../../../hack/api-call.ts';
import type { Layout } from '../../../hack/layout.ts';
import { operatorFlags } from '../../../hack/platform.ts';
import { testCluster } from '../../support/test-cluster.ts';
import { type FaultProxy, startFaultProxy } from '../fault-proxy.ts';
import { launchOperator, type OperatorProcess, startOperator } from '../operator-process.ts';
import { Instance } from './instance.ts';
import { EVALUATION, JOB, PROCESS, SERVICE, Subject, TUNE } from './subject.ts';
import { Witness } from './witness.ts';

const ORGANIZATIONS = `/apis/${API_VERSION}/organizations`;
const CONFLICT = 409;
const PATIENCE_MS = 60_000;

/** For scenarios whose tenant does not matter. It stays, so that the next file need not wait for another. */
const COMMON = 'faults';
const ROOMY = { gpus: 1000, cores: 10_000, memoryGi: 100_000, storageGi: 100_000, instances: 1000 };

/** An operator and the proxy it talks through. */
export interface Contender {
  readonly proxy: FaultProxy;
  readonly operator: OperatorProcess;
}

export class Arena {
  readonly cluster: Layout;
  readonly pods: Witness<Pod>;
  readonly instances: Witness<GpuInstance>;
  readonly organizations: Witness<Organization>;
  readonly jobs: Witness<Job>;
  readonly services: Witness<ContainerService>;
  readonly processes: Witness<DataProcess>;
  readonly tunings: Witness<FineTune>;
  readonly evaluations: Witness<Evaluation>;
  readonly #contenders: Contender[] = [];
  readonly #made: { sweep(): Promise<void> }[] = [];
  readonly #flags: readonly string[];
  #token = '';
  #count = 0;

  private constructor(
    cluster: Layout,
    flags: readonly string[],
    witnesses: Pick<
      Arena,
      'pods' | 'instances' | 'organizations' | 'jobs' | 'services' | 'processes' | 'tunings' | 'evaluations'
    >,
  ) {
    this.cluster = cluster;
    this.#flags = flags;
    this.pods = witnesses.pods;
    this.instances = witnesses.instances;
    this.organizations = witnesses.organizations;
    this.jobs = witnesses.jobs;
    this.services = witnesses.services;
    this.processes = witnesses.processes;
    this.tunings = witnesses.tunings;
    this.evaluations = witnesses.evaluations;
  }

  /** `flags` are the operator's, besides those that the cluster requires. */
  static async open(flags: readonly string[]): Promise<Arena> {
    const { kubectl, layout: cluster } = await testCluster();
    const [pods, instances, organizations, jobs, services, processes, tunings, evaluations] = await Promise.all([
      Witness.of<Pod>(cluster, '/api/v1/pods'),
      Witness.of<GpuInstance>(cluster, `/apis/${API_VERSION}/gpuinstances`),
      Witness.of<Organization>(cluster, ORGANIZATIONS),
      Witness.of<Job>(cluster, `/apis/${API_VERSION}/gpujobs`),
      Witness.of<ContainerService>(cluster, `/apis/${API_VERSION}/containerservices`),
      Witness.of<DataProcess>(cluster, `/apis/${API_VERSION}/dataprocesses`),
      Witness.of<FineTune>(cluster, `/apis/${API_VERSION}/finetunes`),
      Witness.of<Evaluation>(cluster, `/apis/${API_VERSION}/evaluations`),
    ]);
    const witnesses = { pods, instances, organizations, jobs, services, processes, tunings, evaluations };
    const arena = new Arena(cluster, [...(await operatorFlags(cluster)), ...flags], witnesses);
    const token = ['create', 'token', OPERATOR_ACCOUNT, `--namespace=${PLATFORM_NAMESPACE}`, '--duration=12h'];
    arena.#token = (await kubectl.must(token)).trim();
    return arena;
  }

  /** The operator that a file has from its beginning to its end. */
  get proxy(): FaultProxy {
    return this.#first.proxy;
  }

  get operator(): OperatorProcess {
    return this.#first.operator;
  }

  get #first(): Contender {
    const [first] = this.#contenders;
    if (!first) throw new Error('no operator was started');
    return first;
  }

  /** One more operator behind its own proxy, ready when it resolves. */
  async contender(): Promise<Contender> {
    const proxy = await startFaultProxy({ upstream: { kubeconfig: await readFile(this.cluster.kubeconfig, 'utf8') } });
    const operator = await startOperator({
      kubeconfig: proxy.kubeconfig({ token: this.#token }),
      launch: launchOperator(...this.#flags),
    }).catch(async (error) => {
      await proxy.close();
      throw error;
    });
    const contender = { proxy, operator };
    this.#contenders.push(contender);
    return contender;
  }

  /** As the administrator, past the proxy. Gives the answer's object. */
  async call<T = KubeObject>(call: ApiCall): Promise<T> {
    return JSON.parse((await mustCallApi(this.cluster, call)).body);
  }

  patch<T = KubeObject>(path: string, body: object): Promise<T> {
    return this.call<T>({ method: 'PATCH', path, contentType: 'application/merge-patch+json', body });
  }

  /** undefined when there is none. */
  async get<T = KubeObject>(path: string): Promise<T | undefined> {
    const { status, body } = await callApi(this.cluster, { path });
    if (status === 404) return undefined;
    if (status >= 300) throw new Error(`GET ${path}: ${status} ${body.slice(0, 200)}`);
    return JSON.parse(body);
  }

  async list<T extends KubeObject>(path: string): Promise<readonly T[]> {
    return (await this.call<{ items: T[] }>({ path })).items;
  }

  /** Names are fresh over repeated runs against one cluster. */
  freshName(what: string): string {
    this.#count += 1;
    return `${what}-${Date.now().toString(36)}-${this.#count}`;
  }

  /** An instance of the common organisation, not made yet. */
  instance(what: string): Instance {
    return this.instanceNamed(this.freshName(what));
  }

  instanceNamed(name: string, namespace = organizationNamespace(COMMON)): Instance {
    return this.#swept(new Instance(this, namespace, name));
  }

  /** Not made yet. */
  job(name: string, namespace = organizationNamespace(COMMON)): Subject<Job> {
    return this.#swept(new Subject(this, JOB, this.jobs, [namespace, name]));
  }

  service(name: string, namespace = organizationNamespace(COMMON)): Subject<ContainerService> {
    return this.#swept(new Subject(this, SERVICE, this.services, [namespace, name]));
  }

  process(name: string, namespace = organizationNamespace(COMMON)): Subject<DataProcess> {
    return this.#swept(new Subject(this, PROCESS, this.processes, [namespace, name]));
  }

  tuning(name: string, namespace = organizationNamespace(COMMON)): Subject<FineTune> {
    return this.#swept(new Subject(this, TUNE, this.tunings, [namespace, name]));
  }

  evaluation(name: string, namespace = organizationNamespace(COMMON)): Subject<Evaluation> {
    return this.#swept(new Subject(this, EVALUATION, this.evaluations, [namespace, name]));
  }

  #swept<One extends { sweep(): Promise<void> }>(one: One): One {
    this.#made.push(one);
    return one;
  }

  /** Ready when it resolves; returns its namespace. */
  async organization(name = COMMON, spec: object = { quota: ROOMY }): Promise<string> {
    const body = { apiVersion: API_VERSION, kind: 'Organization', metadata: { name }, spec };
    await mustCallApi(this.cluster, { method: 'POST', path: ORGANIZATIONS, body }, [CONFLICT]);
    const now = () => this.organizations.now(undefined, name);
    const what = () => `organisation ${name} is ready; ${now()?.status?.message}`;
    await this.organizations.until(what, () => now()?.status?.phase === 'ready', PATIENCE_MS);
    return organizationNamespace(name);
  }

  async removeOrganization(name: string): Promise<void> {
    const path = `${ORGANIZATIONS}/${name}`;
    await this.patch(path, { metadata: { annotations: { [ANNOTATION.confirmDelete]: name } } });
    await this.call({ method: 'DELETE', path });
    const now = () => this.organizations.now(undefined, name);
    const what = () => `organisation ${name} is gone; ${now()?.status?.message}`;
    await this.organizations.until(what, () => !now(), PATIENCE_MS);
  }

  async close(): Promise<void> {
    // Objects left by a failed scenario would take the next one's cards. Its failure is already reported.
    await Promise.allSettled(this.#made.map((one) => one.sweep()));
    const { pods, instances, organizations, jobs, services, processes, tunings, evaluations } = this;
    await Promise.all(
      [pods, instances, organizations, jobs, services, processes, tunings, evaluations].map((witness) =>
        witness.stop(),
      ),
    );
    for (const { operator, proxy } of this.#contenders) {
      await operator.close();
      await proxy.close();
    }
  }
}

/**
 * Opens the arena before a file's first scenario, with one operator and the common organisation, and closes it after the
 * last. Rules of a scenario end with it.
 */
export function setArena(...flags: string[]): () => Arena {
  let arena: Arena | undefined;
  beforeAll(async () => {
    arena = await Arena.open(flags);
    await arena.contender();
    await arena.organization();
  });
  afterEach(() => arena?.proxy.rules.clear());
  afterAll(() => arena?.close());
  return () => {
    if (!arena) throw new Error('the arena opens once the scenarios begin');
    return arena;
  };
}

/** Nobody else reconciles the test cluster: without a Lease a restarted operator need not wait for the dead one's. */
export const ALONE = '--leader-elect=false';

/** No registry has it: Pods on real nodes wait for files that nobody sends, and simulated nodes pull nothing. */
export const A_TRAINER = '--trainer-image=registry.gantry.internal/official/none:1';
