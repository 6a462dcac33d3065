// Objects into what the API shows of them: pure. What a page needs to know of an object is decided here, once.
import { amountOf } from '@gantry/contract/billing/resources.ts';
import {
  type CommonStatus,
  type Condition,
  type KindFacts,
  type KubeObject,
  type PhaseFacts,
  sentence,
} from '@gantry/contract/define-kind.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import type {
  DiskView,
  HostView,
  ImageView,
  InstanceView,
  PriceView,
  SnapshotView,
} from '@gantry/contract/http/kind-views.ts';
import { inLanguage } from '@gantry/contract/in-language.ts';
import { type DataDisk, dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { lastExitInWords } from '@gantry/contract/kinds/exits.ts';
import type { GpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { type GpuInstance, type GpuInstanceStatus, HEALTH } from '@gantry/contract/kinds/gpu-instance.ts';
import type { Image } from '@gantry/contract/kinds/image.ts';
import { MOST_PROCESSES, rootRoom } from '@gantry/contract/kinds/instance-limits.ts';
import { type Snapshot, snapshot } from '@gantry/contract/kinds/snapshot.ts';
import { REGISTRY } from '@gantry/contract/names.ts';
import type { OrgRole } from '@gantry/contract/roles.ts';
import { reasonWords, viewOf } from '@gantry/contract/view.ts';

export interface Viewer {
  language: Language;
  role: OrgRole;
}

/** The data centre that this cluster is. */
export interface Region {
  id: string;
  label: string;
}

/** What is known from beside the object itself. */
export interface Beside {
  region: Region;
  /** Of a host: cards that no instance holds or is about to. */
  freeGpus?: number;
  /** Of a disk: what those who have it are called, by `holderKey`. */
  holderNames?: ReadonlyMap<string, string>;
  price?: PriceView | null;
  /** What the object costs after a command; null where it then costs nothing. */
  priceAfter?: (action: string) => PriceView | null;
}

type ToView = (object: KubeObject, common: ReturnType<typeof commonOf>, viewer: Viewer, beside: Beside) => object;

const VIEWS: Partial<Record<string, ToView>> = {
  GpuInstance: (object, common, viewer, beside) => instanceOf(object as GpuInstance, common, viewer, beside),
  GpuHost: (object, common, _, beside) => hostOf(object as GpuHost, common, beside),
  DataDisk: (object, common, { language }, beside) => diskOf(object as DataDisk, common, language, beside),
  Image: (object, common, _, beside) => imageOf(object as Image, common, beside),
  Snapshot: (object, common, _, beside) => snapshotOf(object as Snapshot, common, beside),
};

/** Gives the view of any kind; one without a view of its own shows what all have, and its spec. */
export function toView(facts: KindFacts, object: KubeObject, viewer: Viewer, beside: Beside): object {
  const common = commonOf(facts, object, viewer, beside);
  const own = VIEWS[facts.kind];
  if (own) return own(object, common, viewer, beside);
  return { ...common, status: common.phase, spec: (object as KubeObject & { spec?: object }).spec ?? {} };
}

function commonOf(facts: KindFacts, object: KubeObject, { language, role }: Viewer, beside: Beside) {
  const { spec, status } = object as { spec?: { creator?: string }; status?: CommonStatus };
  const { region } = beside;
  const { phaseLabel, message, actions, ...view } = viewOf(facts, object, language, role);
  return {
    ...view,
    actions: actions.map((row) => ({ ...row, ...newPrice(row, beside) })),
    phase_label: phaseLabel,
    reason: status?.phase === view.phase ? (status.reason ?? null) : null,
    message: message ?? null,
    conditions: (status?.conditions ?? []).map((condition) => conditionOf(facts, condition, language)),
    creator: spec?.creator ?? null,
    create_time: object.metadata.creationTimestamp ?? '',
    generation: object.metadata.generation ?? 0,
    region: region.id,
    data_center: region.label,
  };
}

function newPrice({ action, spends }: { action: string; spends: boolean }, { price = null, priceAfter }: Beside) {
  const after = spends ? priceAfter?.(action) : undefined;
  return after && after.amount !== price?.amount ? { price: after } : {};
}

/** A condition has no arguments of its own: they are read back out of its English sentence. */
function conditionOf(
  facts: KindFacts,
  { type, status, reason, message, lastTransitionTime }: Condition,
  language: Language,
) {
  const told = inLanguage(message, language, reasonWords(facts, reason));
  return { type, status, reason, message: told, since: lastTransitionTime };
}

type Common = ReturnType<typeof commonOf>;

const OF_PLATFORM = `${REGISTRY}/official/`;

function instanceOf(
  { metadata, spec, status }: GpuInstance,
  common: Common,
  { language }: Viewer,
  { price = null }: Beside,
): InstanceView {
  const { gpu, cores, memoryGi } = spec;
  const cards = gpu ? [`${gpu.count} × ${gpu.model}`] : [];
  const health = status?.health ?? null;
  const used = status?.usage;
  return {
    ...common,
    status: common.phase,
    specification: [...cards, `${cores} ${CORES[language]}`, `${memoryGi} GiB`].join(', '),
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
    running_since: common.phase === 'running' ? (status?.run?.readyAt ?? null) : null,
    saved_time: status?.root?.savedAt ?? null,
    saved_bytes: status?.root?.totalBytes ?? null,
    home_saved_time: status?.home?.savedAt ?? null,
    home_saved_bytes: status?.home?.sizeBytes ?? null,
    save: saveOf(status, language),
    run: runOf(status, language),
    history: historyOf(status),
    spec,
  };
}

function saveOf({ snapshot: last }: GpuInstanceStatus = {}, language: Language): InstanceView['save'] {
  if (!last) return null;
  const { phase, message } = last;
  const facts = (snapshot.phases as Partial<Record<string, PhaseFacts>>)[phase];
  return {
    phase,
    phase_label: facts?.[language] ?? phase,
    tone: facts?.tone ?? 'neutral',
    message: message ? inLanguage(message, language) : null,
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

const CORES = { en: 'cores', zh: '核', ja: 'コア' } as const;

function imageType(source: string, namespace: string | undefined): InstanceView['image_type'] {
  if (source.startsWith(OF_PLATFORM)) return 'base';
  return source.startsWith(`${REGISTRY}/${namespace}/`) ? 'user' : 'external';
}

/** The product's words for a host's state: the first two are its "active". */
const HOST_STATUS: Readonly<Record<string, HostView['instance_status']>> = {
  active: 'Active',
  activeSync: 'ActiveSync',
  pending: 'Pending',
  notReady: 'NotReady',
  draining: 'Draining',
  expired: 'Expired',
  lost: 'Lost',
  releasing: 'Releasing',
};

function hostOf({ spec, status }: GpuHost, common: Common, { freeGpus, price = null }: Beside): HostView {
  const instance_status = HOST_STATUS[common.phase] ?? 'Pending';
  return {
    ...common,
    instance_id: common.id,
    instance_name: common.name,
    instance_status,
    status: instance_status === 'Active' || instance_status === 'ActiveSync' ? 'active' : 'inactive',
    lan_ip: status?.lanAddress ?? null,
    os: status?.os ?? null,
    source: spec.source,
    tags: spec.tags ?? [],
    gpu_type: spec.gpu.model,
    gpu_spec: `${spec.gpu.count} × ${spec.gpu.model}`,
    gpu_count: spec.gpu.count * spec.nodes,
    gpu_free: freeGpus ?? 0,
    node_count: spec.nodes,
    nodes: (status?.nodes ?? []).map(({ name, lanAddress, os, ready, gpus }) => ({
      name,
      lan_ip: lanAddress ?? null,
      os: os ?? null,
      ready,
      gpu_count: gpus,
    })),
    duration_months: spec.months,
    start_time: status?.startedAt ?? null,
    expire_time: status?.expiresAt ?? null,
    auto_renew: spec.autoRenew,
    payment: 'month',
    cost: price,
    discount: price?.discount_percent ?? null,
    disks: (spec.disks ?? []).map(({ name, mountPath }) => ({ id: name, mount_path: mountPath })),
    spec,
  };
}

/** Reasons whose sentence says who has a disk. */
const MOUNTED = ['Mounted', 'MountsAtNextStart'] as const;

export const holderKey = ({ kind, name }: { kind: string; name: string }): string => `${kind}/${name}`;

function diskOf(
  { spec, status }: DataDisk,
  common: Common,
  language: Language,
  { price = null, holderNames }: Beside,
): DiskView {
  const { usage } = status ?? {};
  const mounted_by = (status?.mountedBy ?? []).map(({ kind, name, mountPath, atNextStart }) => ({
    kind,
    id: name,
    name: holderNames?.get(holderKey({ kind, name })) ?? name,
    mount_path: mountPath ?? null,
    at_next_start: atNextStart ?? false,
  }));
  const told = MOUNTED.find((reason) => reason === common.reason);
  const by = mounted_by.map(({ name }) => name).join(', ');
  return {
    ...common,
    // The status tells of ids, which never change.
    ...(told && common.message !== null && { message: sentence(dataDisk.reasons[told], language, { by }) }),
    status: common.phase === 'active' || common.phase === 'mounted' ? common.phase : 'inactive',
    size_gi: spec.sizeGi,
    used_bytes: usage?.usedBytes ?? null,
    available_bytes: usage?.availableBytes ?? null,
    total_bytes: usage?.totalBytes ?? null,
    measured_time: usage?.at ?? null,
    access: spec.access,
    mounted_by,
    price,
    spec,
  };
}

function imageOf({ spec, status }: Image, common: Common, { price = null }: Beside): ImageView {
  const { creator: _, ...offered } = spec;
  return {
    ...common,
    // What is offered to everybody is nobody's to change, and who made it is no tenant's business.
    ...(spec.official && { actions: [], creator: null }),
    status: common.phase,
    size_bytes: status?.sizeBytes ?? null,
    source: spec.source,
    local: spec.source.startsWith(`${REGISTRY}/`),
    official: spec.official,
    llm: spec.llm,
    digest: status?.digest ?? null,
    from_instance: spec.fromInstance ?? null,
    price,
    spec: spec.official ? offered : spec,
  };
}

function snapshotOf({ spec, status }: Snapshot, common: Common, { price = null }: Beside): SnapshotView {
  return {
    ...common,
    status: common.phase,
    instance: spec.instance,
    of: spec.of,
    target: spec.target,
    digest: status?.digest ?? null,
    size_bytes: status?.sizeBytes ?? null,
    finish_time: status?.finishedAt ?? null,
    price,
  };
}
