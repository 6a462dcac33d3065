// An Image made of an instance: which of its saves that is, and how far the copy of it has come. What failed stays failed: a
// later try would stop the tenant's container once more, unasked.
import { type GpuInstance, type GpuInstanceReason, gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { AT_REST } from '@gantry/contract/kinds/gpu-instance-powers.ts';
import type { Image } from '@gantry/contract/kinds/image.ts';
import { type Snapshot, snapshot } from '@gantry/contract/kinds/snapshot.ts';
import { LABEL } from '@gantry/contract/names.ts';
import { quoted, saidByCondition, saidByStatus } from '@gantry/contract/said.ts';
import { instant } from '../../metering.ts';
import { ownedBy } from '../../resources.ts';
import { age } from './desired.ts';
import type { Outcome } from './phase.ts';

/** `save` is the root to copy, to be written down before the copy is asked for; absent `outcome`: copied. */
export interface Export {
  outcome?: Outcome;
  save?: string;
  create?: readonly Snapshot[];
}

const copyName = ({ metadata }: Image): string => `${metadata.name}-export`;

/** One step of the export. */
export function exportOf(
  owner: Image,
  instance: GpuInstance | undefined,
  rivals: readonly Image[],
  copy: Snapshot | undefined,
): Export {
  const { status, spec } = owner;
  const known = status?.reason;
  const args = { instance: spec.fromInstance ?? '' };
  if (status?.phase === 'failed' && FINAL.includes(known ?? ''))
    return { outcome: { phase: 'failed', reason: known as Outcome['reason'], args: status.reasonArgs ?? {} } };
  if (status?.exported !== undefined) return copied(owner, status.exported, copy);
  const rival = rivals.find((one) => isBefore(one, owner));
  if (rival) return { outcome: { phase: 'failed', reason: 'SourceTaken', args: { image: rival.metadata.name } } };
  const save = saveFor(owner, instance);
  if (typeof save === 'string') return { outcome: { phase: 'processing', reason: 'Copying', args }, save };
  return { outcome: save ?? { phase: 'processing', reason: 'WaitingForSave', args } };
}

const FINAL: readonly string[] = [
  'InstanceNotFound',
  'NothingSaved',
  'CopyFailed',
  'SourceTaken',
] satisfies Outcome['reason'][];

/** A source belongs to one Image: a second copy would change under the first what it claims to have checked. */
function isBefore({ metadata, status }: Image, owner: Image): boolean {
  if (metadata.deletionTimestamp) return false;
  // An export that failed before copying copies nothing any more.
  if (status?.phase === 'failed' && status.checked === undefined) return false;
  return status?.exported !== undefined || age(metadata) < age(owner.metadata);
}

const NO_AGENT = 'NoAgentOnNode' satisfies GpuInstanceReason;
const NEVER_RAN: readonly string[] = ['createFailed', 'createTimeout'];

/** The image of the save, why there will be none, or undefined: it is waited for. */
function saveFor({ metadata, spec }: Image, instance: GpuInstance | undefined): string | Outcome | undefined {
  const name = spec.fromInstance ?? '';
  if (!instance || instance.metadata.deletionTimestamp)
    return { phase: 'failed', reason: 'InstanceNotFound', args: { instance: name } };
  const { root, phase = '', conditions } = instance.status ?? {};
  const asked = instant(metadata.creationTimestamp) ?? Number.POSITIVE_INFINITY;
  if (root && (instant(root.savedAt) ?? 0) >= asked) return root.image;
  const isAtRest = AT_REST.has(phase);
  if (root && isAtRest) return root.image;
  const kept = conditions?.find(({ type }) => type === 'RootKept');
  // A loss of an earlier run says nothing about the current one; a node without an agent does.
  const isUnsavable = phase === 'running' && kept?.reason === NO_AGENT;
  const isLost = kept?.status === 'False' && (isUnsavable || (instant(kept.lastTransitionTime) ?? 0) >= asked);
  if (!isAtRest && !isLost && !NEVER_RAN.includes(phase)) return undefined;
  const why =
    kept && !NEVER_RAN.includes(phase)
      ? saidByCondition(gpuInstance.kind, kept)
      : saidByStatus(gpuInstance.kind, instance.status ?? {});
  return { phase: 'failed', reason: 'NothingSaved', args: { instance: name, ...quoted('detail', why) } };
}

function copied(owner: Image, save: string, copy: Snapshot | undefined): Export {
  const args = { instance: owner.spec.fromInstance ?? '' };
  const { phase, reason, reasonArgs, message = '' } = copy?.status ?? {};
  if (phase === 'ready') return {};
  if (phase === 'failed') {
    const detail = quoted('detail', saidByStatus(snapshot.kind, copy?.status ?? {}));
    return { outcome: { phase: 'failed', reason: 'CopyFailed', args: detail } };
  }
  if (phase === 'processing' && reason === 'Retrying')
    return { outcome: { phase, reason: 'CopyRetrying', args: { detail: reasonArgs?.detail ?? message } } };
  return {
    outcome: { phase: 'processing', reason: 'Copying', args },
    ...(!copy && { create: [desiredCopy(owner, save)] }),
  };
}

function desiredCopy(owner: Image, save: string): Snapshot {
  const { name, namespace = '' } = owner.metadata;
  return {
    apiVersion: owner.apiVersion,
    kind: 'Snapshot',
    metadata: {
      name: copyName(owner),
      namespace,
      labels: { [LABEL.kind]: owner.kind, [LABEL.name]: name },
      ownerReferences: ownedBy(owner),
    },
    spec: {
      instance: owner.spec.fromInstance ?? '',
      of: 'Copy',
      // By its digest alone: the tag may have gone on.
      from: save.replace(/:[^:/@]+@/, '@'),
      target: owner.spec.source,
    },
  };
}
