// A deployment in the API: what a service shows, and the model, its setup and the arithmetic behind it.
import * as z from 'zod';
import { listOf } from '../fields/stored.ts';
import { type Beside, type CommonView, type KindReplicas, type KindUsage, time } from '../kind-api.ts';
import { type CachedOn, cachedOn } from '../models/cached-on.ts';
import { arithmeticOf } from '../models/choose-setup.ts';
import { ENGINE_FACTS, ENGINES, type Engine, MOST_NODES, TASKS } from '../models/engines.ts';
import { servedChildName } from '../names.ts';
import type { ContainerService } from './container-service.ts';
import { serviceReplicas, serviceUsage, serviceView, showService } from './container-service-view.ts';
import { type ModelDeployment, spec, TEMPLATE_FIELDS } from './model-deployment-schema.ts';
import { canReturn, templateOf } from './revisions.ts';

const { url: _u, access: _a, image: _i, spec: _s, ...served } = serviceView.shape;

export const modelDeploymentView = z.object({
  ...served,
  model: z.object({
    id: z.string(),
    name: z.string().nullable().meta({ description: 'Null until it has been looked up.' }),
    version: z.string(),
  }),
  task: z.enum(TASKS),
  setup: z.enum(['automatic', 'manual']),
  engine: z.enum(ENGINES).nullable().meta({ description: 'Null until it is chosen.' }),
  engine_label: z.string().nullable(),
  nodes_per_replica: z.int().meta({ description: 'On each of them it has its GPUs, CPU cores and memory.' }),
  tensor_parallel_size: z.int().nullable(),
  context_length: z.int().nullable(),
  arithmetic: z.array(z.string()).meta({ description: 'What the model takes and what there is, line by line.' }),
  revisions: z.array(
    served.revisions.element.extend({
      model: z.string().nullable().meta({ description: 'The id of its model; null where it is not remembered.' }),
      version: z.string().nullable(),
    }),
  ),
  adapters: z.array(z.object({ name: z.string(), model: z.string(), version: z.string() })),
  host_tag: z.string().nullable(),
  node_labels: z.record(z.string(), z.string()),
  instance_count: z.int(),
  gpu_count: z.int().meta({ description: 'Of one replica, on all its nodes.' }),
  service_name: z.string(),
  workload_name: z.string(),
  weights_bytes: z.number().nullable().meta({ description: 'What its files take.' }),
  cached_on: cachedOn,
  data_reflow: z
    .object({ percent: z.int(), dataset: z.string() })
    .nullable()
    .meta({ description: 'Which part of requests and answers is kept, and under which name; null: none.' }),
  served_for: z.string().nullable().meta({
    description: 'The id of the evaluation whose runs it serves: it is removed after them. Null: it stays.',
  }),
  update_time: time,
  spec,
});
export type ModelDeploymentView = z.input<typeof modelDeploymentView>;

/** Facts about it that the gateway finds elsewhere. */
export interface ModelAround {
  cachedOn?: CachedOn;
}

export function showModelDeployment(object: ModelDeployment, common: CommonView, beside: Beside<ModelAround>) {
  const { metadata, spec, status } = object;
  const { setup, weights } = status ?? {};
  const { gpu, nodes, cores, memoryGi } = sizesOf(object);
  const likeService = { ...object, spec: { ...spec, image: '', gpu, cores, memoryGi } } as unknown as ContainerService;
  const { url, access, image, spec: _, ...shown } = showService(likeService, common, beside);
  const engine = engineOf(object);
  const childName = servedChildName(metadata.name, object.kind);
  return {
    ...shown,
    model: { id: spec.model, name: weights?.model === spec.model ? weights.name : null, version: spec.version },
    task: spec.task,
    setup: spec.setup === 'Manual' ? 'manual' : 'automatic',
    engine: engine ?? null,
    engine_label: engine === undefined ? null : ENGINE_FACTS[engine].label,
    nodes_per_replica: nodes,
    tensor_parallel_size: setup?.tensorParallel ?? spec.tensorParallel ?? null,
    context_length: setup?.contextLength ?? spec.contextLength ?? null,
    arithmetic: setup ? arithmeticOf(setup).map((line) => beside.localize({ reasons: {} }, line)) : [],
    revisions: shown.revisions.map((one) => ({
      ...one,
      can_return: canReturn(object, TEMPLATE_FIELDS, one.revision),
      ...servedIn(status, one.revision),
    })),
    adapters: [...listOf(spec.adapters)],
    host_tag: spec.hostTag ?? null,
    node_labels: { ...spec.nodeLabels },
    instance_count: shown.replicas.wanted,
    gpu_count: (gpu?.count ?? 0) * nodes,
    service_name: childName,
    workload_name: childName,
    weights_bytes: weights?.sizeBytes ?? null,
    cached_on: beside.related.cachedOn ?? null,
    data_reflow: reflowOf(object) ?? null,
    served_for: spec.servedFor ?? null,
    update_time: listOf(status?.revisions)[0]?.at ?? metadata.creationTimestamp ?? common.create_time,
    spec,
  } satisfies ModelDeploymentView;
}

function servedIn(status: ModelDeployment['status'], revision: number) {
  const template = templateOf(listOf(status?.revisions).find((one) => one.revision === revision)?.template);
  const textOf = (value: unknown) => (typeof value === 'string' ? value : null);
  return { model: textOf(template?.model), version: textOf(template?.version) };
}

/** Undefined where nothing is kept. */
export function reflowOf({ metadata, spec }: ModelDeployment): { percent: number; dataset: string } | undefined {
  const { percent = 0, dataset = metadata.name } = spec.dataReflow ?? {};
  return percent > 0 ? { percent, dataset } : undefined;
}

/** The request of one replica on each of its nodes, and the number of nodes: as they were chosen, or as far as the spec states them. */
export function sizesOf({ spec, status }: ModelDeployment) {
  const { gpu, cores, memoryGi } = status?.setup ?? spec;
  const asked = (status?.setup ? status.setup.nodes : spec.nodesPerReplica) ?? 1;
  const nodes = Number.isInteger(asked) && asked >= 1 ? Math.min(asked, MOST_NODES) : 1;
  return { gpu, cores: cores ?? spec.cores ?? 0.1, memoryGi: memoryGi ?? spec.memoryGi ?? 0.0625, nodes };
}

/** Undefined until it is chosen, and where another version of Gantry has chosen one that nobody here knows. */
export const engineOf = ({ spec, status }: ModelDeployment): Engine | undefined =>
  ENGINES.find((engine) => engine === (status?.setup?.engine ?? spec.engine));

export const deploymentReplicas: KindReplicas = serviceReplicas;

export const deploymentUsage: KindUsage = {
  partsOf(object) {
    const { gpu } = sizesOf(object as ModelDeployment);
    return serviceUsage.partsOf(object).map((part) => ({ ...part, hasGpu: gpu !== undefined }));
  },
};
