// For tests of the layers above kinds: a store over an in-memory API server, and objects like the real one's.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { API_VERSION, type KindFacts, type KubeObject } from '@gantry/contract/define-kind.ts';
import { containerService } from '@gantry/contract/kinds/container-service.ts';
import { dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { dataProcess } from '@gantry/contract/kinds/data-process.ts';
import { evaluation } from '@gantry/contract/kinds/evaluation.ts';
import { fineTune } from '@gantry/contract/kinds/fine-tune.ts';
import { gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { image } from '@gantry/contract/kinds/image.ts';
import { job } from '@gantry/contract/kinds/job.ts';
import { modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import { type Clock, systemClock } from '@gantry/kube/clock.ts';
import { POOL_RULES } from '@gantry/kube/placement.ts';
import { MemoryCluster } from '@gantry/kube/testing/memory-cluster.ts';
import { FOLLOWED } from '../../../platform/kube/resources.ts';
import { WatchCache } from '../../../platform/kube/watch-cache.ts';
import { BilledObjects } from '../billed-objects.ts';
import { KindStore } from '../kind-store.ts';
import type { MemberClient } from '../kind-writes.ts';
import { SecretVariables } from '../secret-variables.ts';

/** The client, with the calls of the API server about Pods. */
export type MemoryClient = MemberClient & Pick<KubeClient, 'list' | 'createUnder' | 'stream'>;

export interface MemoryKinds {
  store: KindStore;
  cache: WatchCache;
  cluster: MemoryCluster;
  billed: BilledObjects;
  as(user: string): MemoryClient;
  /** Pods that were evicted, as `<namespace>/<name>`. */
  evicted: string[];
  /** Users that were spoken as, in order. */
  users: string[];
  /** Secrets with variables, by `<namespace>/<name>`. */
  variables: Map<string, KubeObject>;
  stop(): void;
}

/** Resolves once the caches hold these objects. */
export async function memoryKinds(
  objects: readonly KubeObject[] = [],
  clock: Clock = systemClock,
): Promise<MemoryKinds> {
  const cluster = new MemoryCluster(FOLLOWED, { fieldManager: 'gantry-gateway' });
  for (const object of objects) cluster.put(object);
  const users: string[] = [];
  const evicted: string[] = [];
  const as = (user: string): MemoryClient => {
    users.push(user);
    return {
      get: (...args) => cluster.get(...args),
      create: (resource, { kind, ...object }, options) => {
        const { spec } = object as { spec?: object };
        const metadata = { creationTimestamp: '2026-11-01T00:00:00Z', ...object.metadata };
        return cluster.create(
          resource,
          { ...object, kind, metadata, spec: { ...DEFAULTS[kind], ...spec } } as KubeObject,
          options,
        );
      },
      mergePatch: (...args) => cluster.mergePatch(...args),
      delete: (...args) => cluster.delete(...args),
      list: (...args) => cluster.list(...args),
      async createUnder(_, { namespace, name }, subresource, body) {
        if (subresource === 'eviction') evicted.push(`${namespace}/${name}`);
        return body;
      },
      async stream(_, { name }) {
        return Readable.from([Buffer.from(`2026-11-01T00:00:00Z what ${name} wrote\n`)]) as IncomingMessage;
      },
    };
  };
  const stop = new AbortController();
  const quiet = { warn: () => {}, info: () => {} };
  const cache = new WatchCache({ client: cluster, clock, log: quiet });
  const region = { id: 'us-east', label: 'US East Washington' };
  // Its nodes serve several organisations.
  const variables = new Map<string, KubeObject>();
  const kept = new SecretVariables({
    async create(_, object) {
      variables.set(`${object.metadata.namespace}/${object.metadata.name}`, object as KubeObject);
      return object;
    },
    async delete(_, { namespace, name }) {
      variables.delete(`${namespace}/${name}`);
      return {};
    },
  });
  const pool = { ...POOL_RULES, sharedPool: 'open' } as const;
  const store = new KindStore({ cache, client: { as }, region, pool, variables: kept });
  const billed = new BilledObjects({ cache, client: cluster, clock, region });
  await cache.start(stop.signal);
  return { store, cache, cluster, billed, as, users, evicted, variables, stop: () => stop.abort() };
}

/** Defaults that the API server fills in. */
const DEFAULTS: Readonly<Record<string, object>> = {
  [gpuInstance.kind]: {
    power: 'Running',
    rebootCount: 0,
    image: 'registry.gantry.internal/official/busybox:1.36',
    cores: 2,
    memoryGi: 4,
    homeDisk: { sizeGi: 20 },
  },
  [gpuHost.kind]: { source: 'rented', gpu: { model: 'H100', count: 8 }, nodes: 1, months: 1, autoRenew: false },
  [dataDisk.kind]: { sizeGi: 10, access: 'Single' },
  [job.kind]: {
    power: 'Running',
    runCount: 0,
    image: 'busybox:1.36',
    workers: 1,
    cores: 2,
    memoryGi: 4,
    priority: 'Normal',
    retries: 0,
  },
  [dataProcess.kind]: {
    power: 'Running',
    runCount: 0,
    type: 'Clean',
    input: { dataset: 'dst-in' },
    output: { name: 'out' },
    clean: { duplicates: 'None', maskPersonalData: false, minChars: 0 },
    maxRejectedPercent: 10,
    cores: 1,
    memoryGi: 2,
    priority: 'Normal',
    retries: 3,
  },
  [fineTune.kind]: {
    power: 'Running',
    runCount: 0,
    saveCount: 0,
    freshCount: 0,
    base: { model: 'mdl-tiny', version: 'v1' },
    datasets: [{ dataset: 'dst-in', weight: 1 }],
    objective: 'SFT',
    method: 'LoRA',
    parameters: {
      ...{ batch: 8, accumulate: 1, schedule: 'Cosine', warmup: 0.03, rank: 16, alpha: 32, dropout: 0 },
      ...{ maxLength: 2048, beta: 0.1, seed: 0 },
    },
    checkpoints: { keep: 3 },
    workers: 1,
    output: { name: 'out', gguf: false },
    cores: 2,
    memoryGi: 8,
    priority: 'Normal',
    retries: 3,
  },
  [evaluation.kind]: {
    power: 'Running',
    runCount: 0,
    subjects: [{ deployment: 'chat' }],
    tasks: [{ dataset: 'dst-in', metric: 'ExactMatch' }],
    ...{ seed: 0, answerTokens: 256, maxRejectedPercent: 10 },
    cores: 1,
    memoryGi: 2,
    priority: 'Normal',
    retries: 3,
  },
  [containerService.kind]: {
    power: 'Running',
    restartCount: 0,
    image: 'busybox:1.36',
    cores: 2,
    memoryGi: 4,
    ports: [{ port: 8080 }],
    replicas: 1,
    update: { maxUnavailable: 0, maxSurge: 1, deadlineMinutes: 15 },
    wake: { requests: 100, seconds: 120 },
  },
  [modelDeployment.kind]: {
    power: 'Running',
    restartCount: 0,
    model: 'mdl-tiny',
    version: 'v1',
    task: 'Generate',
    engine: 'auto',
    setup: 'Automatic',
    replicas: 1,
    update: { maxUnavailable: 0, maxSurge: 1, deadlineMinutes: 15 },
    wake: { requests: 100, seconds: 120 },
  },
  [image.kind]: { source: 'pytorch/pytorch:2.4.0', official: false, llm: false },
};

export interface KindFixture {
  namespace?: string;
  spec?: object;
  status?: object;
  metadata?: object;
}

/** An object as the API server returns it; of organisation `acme` by default. */
export const kindObject = (
  { kind }: Pick<KindFacts, 'kind'>,
  name: string,
  { namespace = 'org-acme', spec, status, metadata }: KindFixture = {},
): KubeObject & { spec: object; status?: object } => ({
  apiVersion: API_VERSION,
  kind,
  metadata: { name, namespace, uid: randomUUID(), creationTimestamp: '2026-11-01T00:00:00Z', ...metadata },
  spec: { ...DEFAULTS[kind], ...spec },
  ...(status && { status }),
});
