// Objects into what the API shows of them: pure. What a page needs to know of an object is decided here, once.
import {
  type CommonStatus,
  type Condition,
  type KindFacts,
  type KubeObject,
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
import type { DataDisk } from '@gantry/contract/kinds/data-disk.ts';
import type { GpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { type GpuInstance, HEALTH } from '@gantry/contract/kinds/gpu-instance.ts';
import type { Image } from '@gantry/contract/kinds/image.ts';
import type { Snapshot } from '@gantry/contract/kinds/snapshot.ts';
import { REGISTRY } from '@gantry/contract/names.ts';
import type { OrgRole } from '@gantry/contract/roles.ts';
import { viewOf } from '@gantry/contract/view.ts';

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
  price?: PriceView | null;
}

type ToView = (object: KubeObject, common: ReturnType<typeof commonOf>, viewer: Viewer, beside: Beside) => object;

const VIEWS: Partial<Record<string, ToView>> = {
  GpuInstance: (object, common, viewer, beside) => instanceOf(object as GpuInstance, common, viewer, beside),
  GpuHost: (object, common, _, beside) => hostOf(object as GpuHost, common, beside),
  DataDisk: (object, common, _, beside) => diskOf(object as DataDisk, common, beside),
  Image: (object, common, _, beside) => imageOf(object as Image, common, beside),
  Snapshot: (object, common, _, beside) => snapshotOf(object as Snapshot, common, beside),
};

/** Gives the view of any kind; one without a view of its own shows what all have, and its spec. */
export function toView(facts: KindFacts, object: KubeObject, viewer: Viewer, beside: Beside): object {
  const common = commonOf(facts, object, viewer, beside.region);
  const own = VIEWS[facts.kind];
  if (own) return own(object, common, viewer, beside);
  return { ...common, status: common.phase, spec: (object as KubeObject & { spec?: object }).spec ?? {} };
}

function commonOf(facts: KindFacts, object: KubeObject, { language, role }: Viewer, region: Region) {
  const { spec, status } = object as { spec?: { creator?: string }; status?: CommonStatus };
  const { phaseLabel, message, ...view } = viewOf(facts, object, language, role);
  return {
    ...view,
    phase_label: phaseLabel,
    reason: status?.phase === view.phase ? (status.reason ?? null) : null,
    message: message ?? null,
    conditions: (status?.conditions ?? []).map((condition) => conditionOf(facts, condition, language)),
    creator: spec?.creator ?? null,
    create_time: object.metadata.creationTimestamp ?? '',
    region: region.id,
    data_center: region.label,
  };
}

/** A condition has no arguments of its own: a sentence with gaps stays as the operator filled it, in English. */
function conditionOf(
  facts: KindFacts,
  { type, status, reason, message, lastTransitionTime }: Condition,
  language: Language,
) {
  const words = facts.reasons[reason];
  const isWhole = words !== undefined && !words[language].includes('{');
  return { type, status, reason, message: isWhole ? sentence(words, language) : message, since: lastTransitionTime };
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
  return {
    ...common,
    status: common.phase,
    specification: [...cards, `${cores} ${CORES[language]}`, `${memoryGi} GiB`].join(', '),
    gpu: gpu ?? null,
    cards: gpu?.count ?? 0,
    cores,
    memory_gi: memoryGi,
    health,
    health_label: health && HEALTH[health][language],
    payment: 'usage',
    price,
    image: spec.image,
    image_type: imageType(spec.image, metadata.namespace),
    host: spec.host ?? null,
    node: status?.node ?? null,
    address: status?.address ?? null,
    ssh_address: status?.ssh ?? null,
    running_since: common.phase === 'running' ? (status?.run?.readyAt ?? null) : null,
    saved_time: status?.root?.savedAt ?? null,
    saved_bytes: status?.root?.totalBytes ?? null,
    spec,
  };
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

function diskOf({ spec, status }: DataDisk, common: Common, { price = null }: Beside): DiskView {
  const { usage } = status ?? {};
  return {
    ...common,
    status: common.phase === 'active' || common.phase === 'mounted' ? common.phase : 'inactive',
    size_gi: spec.sizeGi,
    used_bytes: usage?.usedBytes ?? null,
    available_bytes: usage?.availableBytes ?? null,
    total_bytes: usage?.totalBytes ?? null,
    measured_time: usage?.at ?? null,
    access: spec.access,
    mounted_by: (status?.mountedBy ?? []).map(({ kind, name, mountPath }) => ({
      kind,
      id: name,
      mount_path: mountPath ?? null,
    })),
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
