// A service in the API.
import * as z from 'zod';
import type { Language } from '../fields/language.ts';
import { listOf, oneOf, wordOf } from '../fields/stored.ts';
import { gpuName } from '../gpu-name.ts';
import {
  type Beside,
  type CommonView,
  commonView,
  type KindReplicas,
  type KindUsage,
  price,
  time,
  tone,
} from '../kind-api.ts';
import { type ContainerService, spec, TEMPLATE_FIELDS } from './container-service-schema.ts';
import { OUTCOMES, REPLICA_PHASES, SCALING_CAUSES } from './container-service-words.ts';
import { coresText } from './gpu-instance-words.ts';
import { canReturn } from './revisions.ts';

export const serviceView = commonView.extend({
  status: z.string(),
  specification: z.string().meta({ description: 'Cards, cores and memory of one replica, in one line.' }),
  gpu: z.object({ model: z.string(), count: z.int() }).nullable(),
  cards: z.int().meta({ description: 'Of all wanted replicas together.' }),
  image: z.string(),
  host: z.string().nullable(),
  price: price.meta({ description: 'With the replicas that are wanted now.' }),
  cost: z.string().nullable().meta({ description: 'What has been billed for it so far, with its currency.' }),
  url: z.string().nullable(),
  address: z.string().nullable(),
  access: spec.shape.publish.unwrap().shape.access.unwrap().nullable(),
  completion_time: time.nullable().meta({ description: 'When the present revision was complete.' }),
  last_request_time: time.nullable(),
  asleep_since: time.nullable(),
  replicas: z.object({ wanted: z.int(), ready: z.int(), updated: z.int(), total: z.int() }),
  scaling: z
    .object({ replicas: z.int(), cause: z.string(), cause_label: z.string(), value: z.number().nullable(), time })
    .nullable()
    .meta({ description: 'With autoscaling: what the number of replicas follows.' }),
  revision: z.int().nullable(),
  revisions: z.array(
    z.object({
      revision: z.int(),
      time,
      image: z.string(),
      outcome: z.string(),
      outcome_label: z.string(),
      is_present: z.boolean(),
      can_return: z.boolean().meta({ description: 'A rollback to it would change something.' }),
    }),
  ),
  pods: z.array(
    z.object({
      name: z.string(),
      phase: z.string(),
      phase_label: z.string(),
      tone,
      revision: z.int().nullable(),
      node: z.string().nullable(),
      ready_time: time.nullable(),
      restarts: z.int(),
    }),
  ),
  spec,
});
export type ServiceView = z.input<typeof serviceView>;

export function showService(service: ContainerService, common: CommonView, { language, price }: Beside) {
  const { spec, status } = service;
  const { gpu, cores, memoryGi } = spec;
  const cards = gpu ? [`${gpu.count} × ${gpuName(gpu.model)}`] : [];
  const replicas = status?.replicas ?? { wanted: spec.replicas, ready: 0, updated: 0, total: 0 };
  return {
    ...common,
    status: common.phase,
    specification: [...cards, coresText(cores, language), `${memoryGi} GiB`].join(', '),
    gpu: gpu ?? null,
    cards: (gpu?.count ?? 0) * replicas.wanted,
    image: spec.image,
    host: spec.host ?? null,
    price,
    cost: status?.credit?.cost ?? null,
    url: status?.url ?? null,
    address: status?.address ?? null,
    access: spec.publish?.access ?? null,
    completion_time: status?.readyAt ?? null,
    last_request_time: status?.traffic?.lastRequestAt ?? null,
    asleep_since: status?.asleepSince ?? null,
    replicas,
    scaling: scalingOf(status, language),
    revision: status?.revision ?? null,
    revisions: listOf(status?.revisions).map(({ revision, at, image, outcome }) => ({
      revision,
      time: at,
      image,
      outcome,
      outcome_label: wordOf(OUTCOMES, outcome, language),
      is_present: revision === status?.revision,
      can_return: canReturn(service, TEMPLATE_FIELDS, revision),
    })),
    pods: listOf(status?.pods).map((pod) => ({
      name: pod.name,
      phase: pod.phase,
      phase_label: wordOf(REPLICA_PHASES, pod.phase, language),
      tone: oneOf<ServiceView['tone']>(TONES, pod.phase, 'neutral'),
      revision: pod.revision ?? null,
      node: pod.node ?? null,
      ready_time: pod.readyAt ?? null,
      restarts: pod.restarts ?? 0,
    })),
    spec,
  } satisfies ServiceView;
}

const TONES = {
  waiting: 'progress',
  starting: 'progress',
  ready: 'good',
  failing: 'bad',
  ending: 'neutral',
} as const;

function scalingOf(status: ContainerService['status'], language: Language): ServiceView['scaling'] {
  const scaling = status?.scaling;
  if (!scaling) return null;
  const { replicas, because, value, at } = scaling;
  const cause_label = wordOf(SCALING_CAUSES, because, language);
  return { replicas, cause: because, cause_label, value: value ?? null, time: at };
}

export const serviceReplicas: KindReplicas = {
  podsOf: (object) =>
    listOf((object as ContainerService).status?.pods).map(({ name }) => ({ pod: name, container: 'main' })),
};

/** A part for each replica. */
export const serviceUsage: KindUsage = {
  partsOf(object) {
    const { spec, status } = object as ContainerService;
    return listOf(status?.pods).map(({ name }) => ({
      name,
      of: { pod: name },
      volumes: [],
      hasGpu: spec.gpu !== undefined,
    }));
  },
};
