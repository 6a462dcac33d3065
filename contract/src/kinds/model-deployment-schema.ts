// A deployment's spec and status, as the CRD has them. What it shares with a service is the service's.
import * as z from 'zod';
import { cel, commonStatus, type ObjectOf } from '../define-kind.ts';
import { dateTime } from '../fields/date-time.ts';
import { freeName, gpuModel, modelVersion, objectName } from '../fields/name.ts';
import { plainTextRule } from '../fields/plain-text.ts';
import { changing, env, host } from '../fields/workload.ts';
import { ENGINES, MOST_NODES, RESERVED_ARGUMENT, TASKS } from '../models/engines.ts';
import { WEIGHTS_SUFFIX } from '../names.ts';
import { RULE_WORDS } from '../rule-words.ts';
import { spec as service, status as serviceStatus } from './container-service-schema.ts';
import { METRICS, MOST_EVALUATION_TASKS } from './evaluation-schema.ts';
import { modelDeploymentWords as words } from './model-deployment-words.ts';

export const MOST_ADAPTERS = 16;
export const MOST_CONTEXT = 16_777_216;

const gpu = z.object({
  model: gpuModel,
  count: z.int().min(1).max(16).default(1).describe('How many GPUs.'),
});

/** Fields in which a change starts new replicas. */
const template = changing('A change starts new replicas.', {
  model: objectName.meta({
    description: 'The id of a model of the organisation’s space, or of the library.',
    ...cel(["self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')", RULE_WORDS.objectName]),
  }),
  version: modelVersion.meta({ description: 'The name of a version of it that is ready.' }),
  task: z
    .enum(TASKS)
    .default('Generate')
    .meta({ description: 'What it answers: completions, embeddings, or the order of documents.' }),
  engine: z
    .enum(['auto', ...ENGINES])
    .default('auto')
    .meta({ description: 'The program that serves it. auto: the one that suits the model’s files.' }),
  setup: z.enum(['Automatic', 'Manual']).default('Automatic').meta({
    description:
      'Automatic: fields of the setup that are absent are chosen from the facts of the model and the free GPUs. Manual: the setup is as it is written.',
  }),
  gpu: gpu.optional().meta({
    description: 'The GPUs that a replica has on a node: whole ones, of one model. Absent: chosen, or in Manual none.',
  }),
  nodesPerReplica: z.int().min(1).max(MOST_NODES).optional().meta({
    description:
      'Over how many nodes a replica is spread; on each it has these GPUs, CPU cores and memory. More than one takes LeaderWorkerSet in the cluster. Absent: chosen, or in Manual one.',
  }),
  cores: z
    .number()
    .min(0.1)
    .max(512)
    .optional()
    .meta({ description: 'How many CPU cores a replica has on a node. Absent: chosen.' }),
  memoryGi: z
    .number()
    .min(0.0625)
    .max(8192)
    .optional()
    .meta({ description: 'How much memory a replica has on a node, in GiB. Absent: chosen.' }),
  contextLength: z
    .int()
    .min(1)
    .max(MOST_CONTEXT)
    .optional()
    .meta({ description: 'How many tokens a request and its answer may have together. Absent: chosen.' }),
  tensorParallel: z
    .int()
    .min(1)
    .max(16)
    .optional()
    .meta({ description: 'Over how many GPUs of a node each layer is split. Absent: over all of the replica.' }),
  memoryFraction: z
    .number()
    .min(0.1)
    .max(0.99)
    .optional()
    .meta({ description: 'Which part of each GPU’s memory the engine takes. Absent: chosen.' }),
  adapters: z
    .array(
      z.object({
        name: objectName.describe('The name by which requests ask for it.'),
        model: objectName.describe('The id of the model that holds the adapter.'),
        version: modelVersion.describe('The name of its version.'),
      }),
    )
    .max(MOST_ADAPTERS)
    .optional()
    .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] })
    .describe('LoRA adapters that are served beside the model.'),
  extraArgs: z
    .array(
      z
        .string()
        .min(1)
        .max(512)
        .meta(
          cel(
            ["!self.contains('\\u0000')", RULE_WORDS.noNul],
            [`!self.matches('${RESERVED_ARGUMENT}')`, words.rules.reservedArgument],
          ),
        ),
    )
    .max(32)
    .optional()
    .meta({ description: 'Further arguments for the engine.', 'x-kubernetes-list-type': 'atomic' }),
  env,
  host,
  hostTag: z
    .string()
    .min(1)
    .max(63)
    .optional()
    .meta({
      description:
        'A tag of hosts: it runs on the oldest active one that has it, and moves where that has it no longer. A host that is named goes before it.',
      ...plainTextRule,
    }),
  nodeLabels: z
    .record(z.string().max(253), z.string().max(63))
    .optional()
    .meta({
      description: 'Only nodes that have all of these labels run it.',
      maxProperties: 8,
      // Whether a Pod finds a place would tell what other organisations have there.
      ...cel([`self.all(key, !key.contains('${WEIGHTS_SUFFIX}'))`, words.rules.nodeLabels]),
    }),
});
export const TEMPLATE_FIELDS = Object.keys(template) as (keyof typeof template)[];

const dataReflow = z.object({
  percent: z.int().min(0).max(100).describe('How many of a hundred answered requests are kept. 0: none.'),
  dataset: freeName.optional().meta({
    description: 'What the kept requests and answers are called. Absent: as the deployment.',
    ...plainTextRule,
  }),
});

const gate = z.object({
  evaluation: objectName.describe('The name of an evaluation of the organisation.'),
  metric: z.enum(METRICS).describe('By which of its scores.'),
  task: z
    .int()
    .min(0)
    .max(MOST_EVALUATION_TASKS - 1)
    .optional()
    .describe('The number of one of its tasks. Absent: each that has this metric.'),
  notWorseThan: z
    .object({
      model: objectName.describe('The id of the model.'),
      version: modelVersion.describe('The name of its version.'),
    })
    .optional()
    .describe('What its baseline has to be. Absent: whatever it is.'),
  margin: z
    .number()
    .min(0)
    .max(1)
    .default(0)
    .describe('How much worse the score may be: the whole 95 % interval of the difference has to be within it.'),
});

const { creator, startedBy, power, restartCount, replicas, autoscaling, update, wake, idle } = service.shape;
const shared = { startedBy, power, restartCount, replicas, autoscaling, update, wake, idle };

export const spec = z
  .object({
    displayName: freeName.optional(),
    creator,
    ...template,
    ...shared,
    gate: gate.optional().meta({
      description:
        'Another version is served only once an evaluation has shown that it is not worse than the baseline. What is served already stays. Absent: any is.',
    }),
    servedFor: objectName.optional().meta({
      description:
        'The name of an evaluation of the organisation: the deployment is removed once that has no run under way. Absent: it stays.',
    }),
    dataReflow: dataReflow.optional().meta({
      description:
        'Keeps some requests and their answers, without what tells who somebody is, for those who manage the organisation. Absent: none.',
    }),
  })
  .describe('What is wanted of the deployment.');

/** A change to one of these starts replicas or raises its usage. The person who makes it pays from then on (`startedBy`). */
export const START_FIELDS = [
  'power',
  'restartCount',
  'replicas',
  'autoscaling',
  'gate',
  ...TEMPLATE_FIELDS,
] as const satisfies readonly (keyof z.output<typeof spec>)[];

const bytes = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

const { url: _, ...served } = serviceStatus.shape;

export const status = z
  .object({
    ...commonStatus,
    ...served,
    weights: z
      .object({
        model: z.string().max(63).describe('The id of the model.'),
        version: z.string().max(63).describe('The name of its version.'),
        name: z.string().max(100).describe('The name of the model.'),
        digest: z
          .string()
          .max(64)
          .describe('The SHA-256 of the list of all files, adapters included, with their hashes.'),
        files: z.int().min(0).describe('How many files there are.'),
        sizeBytes: bytes.describe('What they take together.'),
        format: z.string().max(32).optional().describe('What the files are.'),
        entry: z.string().max(512).optional().describe('Of a GGUF model: the path of its first file.'),
        adapterEntries: z
          .record(z.string().max(63), z.string().max(512))
          .optional()
          .meta({ maxProperties: MOST_ADAPTERS })
          .describe('Of GGUF adapters: the path of each one’s first file, by its name.'),
        fills: z
          .string()
          .max(253)
          .optional()
          .describe('The node that they are being copied to before a replica needs them there.'),
      })
      .optional()
      .describe('The files that are served. The gateway writes it.'),
    setup: z
      .object({
        generation: z.int().min(0).describe('The metadata.generation that it answers.'),
        wish: z.string().max(64).describe('The SHA-256 of what it was chosen for: it stays while that does.'),
        engine: z.enum(ENGINES).describe('The program that serves it.'),
        image: z.string().max(512).optional().describe('Its image. Absent: the one of this release.'),
        gpu: z
          .object({
            model: z.string().max(63).describe('Their model.'),
            count: z.int().min(1).max(16).describe('How many.'),
          })
          .optional()
          .describe('The GPUs that a replica has on a node. Absent: none.'),
        nodes: z
          .int()
          .min(1)
          .max(MOST_NODES)
          .optional()
          .describe('Over how many nodes a replica is spread. Absent: one.'),
        cores: z.number().min(0).max(512).describe('How many CPU cores a replica has on a node.'),
        memoryGi: z.number().min(0).max(8192).describe('How much memory a replica has on a node, in GiB.'),
        tensorParallel: z.int().min(1).max(16).describe('Over how many GPUs of a node each layer is split.'),
        contextLength: z.int().min(1).max(MOST_CONTEXT).optional().describe('How many tokens of context it has.'),
        memoryFraction: z.number().min(0).max(1).describe('Which part of each GPU’s memory the engine takes.'),
        weightBytes: bytes.optional().describe('What the weights take in memory.'),
        cacheBytes: bytes.optional().describe('What the context takes.'),
        overheadBytes: bytes.optional().describe('What the engine takes besides.'),
        roomBytes: bytes.optional().describe('What there is for all of it.'),
        at: dateTime.describe('When it was chosen.'),
      })
      .optional()
      .describe('How it is served. The gateway writes it.'),
  })
  .describe('What is known of the deployment. The platform writes it.');

export type ModelDeployment = ObjectOf<{ spec: typeof spec; status: typeof status }>;
export type ModelDeploymentSpec = ModelDeployment['spec'];
export type ModelDeploymentStatus = NonNullable<ModelDeployment['status']>;
export type ModelSetup = NonNullable<ModelDeploymentStatus['setup']>;
