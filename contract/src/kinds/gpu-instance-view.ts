// An instance in the API.
import * as z from 'zod';
import { amountOf } from '../billing/resources.ts';
import type { PhaseFacts } from '../define-kind.ts';
import type { Language } from '../fields/language.ts';
import { listOf } from '../fields/stored.ts';
import { gpuName } from '../gpu-name.ts';
import {
  type Beside,
  bytes,
  type CommonView,
  commonView,
  type KindRuns,
  type KindUsage,
  type KnownRun,
  price,
  time,
  tone,
} from '../kind-api.ts';
import { DISK_SUFFIX, HOME_SUFFIX, instancePodName, REGISTRY } from '../names.ts';
import { lastExitInWords } from './exits.ts';
import { type GpuInstance, type GpuInstanceStatus, spec, status } from './gpu-instance-schema.ts';
import { coresText, HEALTH } from './gpu-instance-words.ts';
import { MOST_PROCESSES, rootRoom } from './instance-limits.ts';
import { notebookTokenText } from './notebook-token.ts';
import { snapshot } from './snapshot.ts';

export const instanceView = commonView.extend({
  status: z.string(),
  specification: z.string().meta({ description: 'Cards, cores and memory in one line.' }),
  gpu: z.object({ model: z.string(), count: z.int() }).nullable(),
  cards: z.int(),
  cores: z.number(),
  memory_gi: z.number(),
  root_limit_gi: z
    .int()
    .meta({ description: 'What the container may write outside its disks. It is ended when it writes more.' }),
  root_used_bytes: bytes.nullable(),
  process_limit: z.int().meta({ description: 'Processes and threads that may run at once.' }),
  health: z.enum(['normal', 'abnormal', 'notReady']).nullable(),
  health_label: z.string().nullable(),
  payment: z.literal('usage'),
  price,
  image: z.string(),
  home_used_bytes: bytes.nullable(),
  home_total_bytes: bytes.nullable().meta({ description: 'What its volume has, as measured while it runs.' }),
  image_type: z
    .enum(['base', 'user', 'external'])
    .meta({ description: 'Offered by the platform, saved by the organisation, or from elsewhere.' }),
  host: z.string().nullable().meta({ description: 'The id of its host; null in the shared pool.' }),
  node: z.string().nullable(),
  address: z.string().nullable(),
  ssh_address: z.string().nullable().meta({ description: 'The command that logs in.' }),
  has_notebook_token: z.boolean().meta({ description: 'Whether there is a notebook token to show.' }),
  running_since: time.nullable(),
  saved_time: time.nullable().meta({ description: 'When its root file system was last saved.' }),
  saved_bytes: bytes.nullable(),
  home_saved_time: time.nullable().meta({ description: 'While its home lies in the registry: when it was put there.' }),
  home_saved_bytes: bytes.nullable(),
  save: z
    .object({ phase: z.string(), phase_label: z.string(), tone, message: z.string().nullable() })
    .nullable()
    .meta({ description: 'The save under way, or the last one.' }),
  run: z
    .object({
      number: z.int(),
      cause: status.shape.run.unwrap().shape.cause,
      ready_time: time.nullable(),
      end_time: time.nullable().meta({ description: 'Where nothing follows this run until it is wanted again.' }),
      exits: z.int().meta({ description: 'Exits in a row before this run.' }),
      last_exit: z.string().nullable().meta({ description: 'Why the run before ended.' }),
      last_exit_label: z.string().nullable(),
    })
    .nullable()
    .meta({ description: 'The newest run.' }),
  history: z
    .array(
      z.object({
        from: time,
        to: time.nullable().meta({ description: 'Null: it lasts.' }),
        uses: z.array(z.object({ resource: z.string(), model: z.string().nullable(), quantity: z.number() })),
      }),
    )
    .meta({ description: 'What it used when, newest first, at most 20 stretches.' }),
  spec: spec,
});
export type InstanceView = z.input<typeof instanceView>;

const OF_PLATFORM = `${REGISTRY}/official/`;

export function showInstance(
  { metadata, spec, status }: GpuInstance,
  common: CommonView,
  { language, price, localize }: Beside,
) {
  const { gpu, cores, memoryGi } = spec;
  const cards = gpu ? [`${gpu.count} × ${gpuName(gpu.model)}`] : [];
  const health = status?.health ?? null;
  const used = status?.usage;
  return {
    ...common,
    status: common.phase,
    specification: [...cards, coresText(cores, language), `${memoryGi} GiB`].join(', '),
    gpu: gpu ?? null,
    cards: gpu?.count ?? 0,
    cores,
    memory_gi: memoryGi,
    root_limit_gi: rootRoom(spec).limitGi,
    root_used_bytes: used?.rootBytes ?? null,
    process_limit: MOST_PROCESSES,
    health,
    health_label: health && HEALTH[health][language],
    payment: 'usage',
    price,
    image: spec.image,
    image_type: imageType(spec.image, metadata.namespace),
    home_used_bytes: used?.home?.usedBytes ?? null,
    home_total_bytes: used?.home?.totalBytes ?? null,
    host: spec.host ?? null,
    node: status?.node ?? null,
    address: status?.address ?? null,
    ssh_address: status?.ssh ?? null,
    has_notebook_token: notebookTokenText({ metadata, spec, status } as GpuInstance) !== undefined,
    running_since: common.phase === 'running' ? (status?.run?.readyAt ?? null) : null,
    saved_time: status?.root?.savedAt ?? null,
    saved_bytes: status?.root?.totalBytes ?? null,
    home_saved_time: status?.home?.savedAt ?? null,
    home_saved_bytes: status?.home?.sizeBytes ?? null,
    save: saveOf(status, language, localize),
    run: runOf(status, language),
    history: historyOf(status),
    spec,
  } satisfies InstanceView;
}

function saveOf(
  { snapshot: last }: GpuInstanceStatus = {},
  language: Language,
  localize: Beside['localize'],
): InstanceView['save'] {
  if (!last) return null;
  const { phase } = last;
  const facts = (snapshot.phases as Partial<Record<string, PhaseFacts>>)[phase];
  return {
    phase,
    phase_label: facts?.[language] ?? phase,
    tone: facts?.tone ?? 'neutral',
    message: localize(snapshot, last) || null,
  };
}

function runOf({ run }: GpuInstanceStatus = {}, language: Language): InstanceView['run'] {
  if (!run) return null;
  const { seq, cause, readyAt, endedAt, exits = 0, lastExit } = run;
  return {
    number: seq,
    cause,
    ready_time: readyAt ?? null,
    end_time: endedAt ?? null,
    exits,
    last_exit: lastExit ?? null,
    last_exit_label: lastExit === undefined ? null : lastExitInWords(lastExit, language),
  };
}

const SHOWN_STRETCHES = 20;

function historyOf({ intervals = [] }: GpuInstanceStatus = {}): InstanceView['history'] {
  return intervals
    .toSorted((a, b) => b.seq - a.seq)
    .slice(0, SHOWN_STRETCHES)
    .map(({ from, to, uses }) => ({
      from,
      to: to ?? null,
      uses: uses.map((use) => ({ resource: use.resource, model: use.model ?? null, quantity: amountOf(use) })),
    }));
}

function imageType(source: string, namespace: string | undefined): InstanceView['image_type'] {
  if (source.startsWith(OF_PLATFORM)) return 'base';
  return source.startsWith(`${REGISTRY}/${namespace}/`) ? 'user' : 'external';
}

export const instanceRuns: KindRuns = {
  of: (object) => runsOf((object as GpuInstance).status),
  podOf: ({ metadata }, seq) => ({ pod: instancePodName(metadata.name, seq), container: 'main' }),
};

/** One part over all its runs. */
export const instanceUsage: KindUsage = {
  partsOf(object) {
    const { metadata, spec, status } = object as GpuInstance;
    return [
      {
        name: 'main',
        of: { pod: instancePodName(metadata.name, status?.run?.seq ?? 1) },
        volumes: [
          { claim: `${metadata.name}${HOME_SUFFIX}`, disk: null, ownBytes: status?.usage?.home?.ownBytes },
          ...(spec.disks ?? []).map(({ name }) => ({ claim: `${name}${DISK_SUFFIX}`, disk: name })),
        ],
        hasGpu: spec.gpu !== undefined,
      },
    ];
  },
};

function runsOf(status: GpuInstance['status']): readonly KnownRun[] {
  const run = status?.run;
  const runs = listOf(status?.runs);
  if (!run || run.endedAt !== undefined || runs.some(({ seq }) => seq === run.seq)) return runs;
  const { seq, cause, readyAt } = run;
  return [{ seq, cause, ...(readyAt !== undefined && { startedAt: readyAt }) }, ...runs];
}
