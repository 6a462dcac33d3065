// One step towards a disk's spec: its one claim, its size, its file server, and at the end none of them.
import { type Condition, sentence } from '@gantry/contract/define-kind.ts';
import { type DataDisk, type DataDiskStatus, dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { FINALIZER } from '@gantry/contract/names.ts';
import { nextCondition } from '@gantry/contract/next-condition.ts';
import { isTerminal } from '@gantry/kube/core-objects.ts';
import { targetOf } from '@gantry/kube/resource.ts';
import { defineController, type Plan } from '../../define-controller.ts';
import { instant, tooManyUnposted } from '../../metering.ts';
import { isOwnedBy, ownedBy } from '../../resources.ts';
import { readySince } from '../../server-pod.ts';
import { intervalsOf } from './bookkeeping.ts';
import { type DiskSettings, desiredClaim, desiredFileServer, desiredToken, labelsOf } from './desired.ts';
import { type Explanation, type Facts, factsOf, PROVISION_PATIENCE_MS, refusalOf } from './facts.ts';
import { addressOf, type Files, filesOf, placeOf } from './files.ts';
import { enforcedOf, explain, type Is, isGrowing, phaseOf, readyOf, resizedOf, tiedOf } from './phase.ts';
import { reads } from './reads.ts';

type DiskPlan = Plan<DataDiskStatus>;

const TYPES = ['Ready', 'Resized', 'SizeEnforced', 'TiedToNode'] as const;

export const dataDiskController = defineController<DataDisk, typeof reads, DiskSettings>({
  facts: dataDisk,
  reads,
  writes: {
    fields: ['sizeGi', 'mountedBy', 'volumeName', 'claimUID', 'node', 'intervals', 'files'],
    conditions: [...TYPES, 'FilesAvailable'],
  },
  plan(owner, seen, context) {
    const f = factsOf(owner, seen, context);
    if (f.deleting) return release(f);
    const files = filesOf(f);
    const steps = [made(f), grown(f), mended(f), served(f, files)];
    return {
      finalizer: 'keep',
      status: statusOf(f, files),
      create: steps.flatMap(({ create = [] }) => create),
      unseen: steps.flatMap(({ unseen = [] }) => unseen),
      patch: steps.flatMap(({ patch = [] }) => patch),
      remove: steps.flatMap(({ remove = [] }) => remove),
      ...again(f, files),
    };
  },
});

type Step = Pick<DiskPlan, 'create' | 'unseen' | 'patch' | 'remove'>;

/** Refused writes are retried: their obstacle may be gone. */
const TRIED = ['QuotaExceeded', 'Refused', 'NameTaken'];

/** The claim, made once. One that held data and is gone is never made again. */
const made = (f: Facts): Step =>
  !f.claim && (!f.trouble || TRIED.includes(f.trouble.reason)) ? { create: [desiredClaim(f.owner)] } : {};

function grown(f: Facts): Step {
  if (!f.claim || !isGrowing(f) || f.unpaid || tooManyUnposted(f.owner, f.settings.creditGate)) return {};
  const storage = `${f.owner.spec.sizeGi}Gi`;
  return { patch: [{ ...targetOf(f.claim), body: { spec: { resources: { requests: { storage } } } } }] };
}

/** Corrects manual changes: the labels by which others find the claim, and its owner. */
function mended({ owner, claim }: Facts): Step {
  if (!claim || claim.metadata.deletionTimestamp) return {};
  const labels = labelsOf(owner);
  const bears = Object.entries(labels).every(([name, value]) => claim.metadata.labels?.[name] === value);
  const owned = isOwnedBy(claim, owner);
  if (bears && owned) return {};
  const { resourceVersion, ownerReferences = [] } = claim.metadata;
  return {
    patch: [
      {
        ...targetOf(claim),
        // A merge patch replaces the whole list of owners, so it counts only for the list that was seen.
        ...(resourceVersion !== undefined && !owned && { resourceVersion }),
        body: { metadata: { labels, ...(!owned && { ownerReferences: [...ownerReferences, ...ownedBy(owner)] }) } },
      },
    ],
  };
}

/** The token first, and no server without it: the Pod would take up a Secret that somebody else made in its place. */
function served(f: Facts, { wanted }: Files): Step {
  const { owner, fileServer, settings } = f;
  const isGoing = fileServer?.metadata.deletionTimestamp !== undefined;
  const isRefused = refusalOf(f, 'Secret') !== undefined;
  const unseen = wanted ? [desiredToken(owner, settings)] : [];
  // Evicted, or its node was shut down; its container alone is started again by the kubelet.
  if (fileServer && !isGoing && (!wanted || isRefused || isTerminal(fileServer)))
    return { unseen, remove: [targetOf(fileServer)] };
  return {
    unseen,
    create: wanted && !fileServer && !isRefused ? [desiredFileServer(owner, settings, placeOf(f))] : [],
  };
}

/** A deleted disk: its holders let go first, then its claim goes, then the disk; the garbage collector removes the token. */
function release(f: Facts): DiskPlan {
  const { claim, users, fileServer, owner } = f;
  const others = owner.metadata.finalizers?.some((finalizer) => finalizer !== FINALIZER.operator) ?? false;
  const stays = [fileServer, users.length === 0 && !fileServer ? claim : undefined].flatMap((object) =>
    object && object.metadata.deletionTimestamp === undefined ? [targetOf(object)] : [],
  );
  return {
    remove: stays,
    // A claim alone is gone within moments and not worth a write. A holder, or billing that still has to post, is.
    ...((users.length > 0 || others) && { status: statusOf(f, filesOf(f)) }),
    finalizer: claim || fileServer || users.length > 0 ? 'keep' : 'drop',
  };
}

/** The next moment at which time alone changes the plan. */
function again({ now, provisioningSince, settings, status }: Facts, { changesAt }: Files): Pick<DiskPlan, 'againInMs'> {
  const moments = [
    changesAt,
    provisioningSince === undefined ? undefined : provisioningSince + PROVISION_PATIENCE_MS,
    settings.creditGate === 'required' ? instant(status.credit?.until) : undefined,
  ].filter((at): at is number => at !== undefined && at > now);
  return moments.length > 0 ? { againInMs: Math.min(...moments) - now } : {};
}

function statusOf(f: Facts, files: Files): DataDiskStatus {
  const { owner, claim, capacityGi, mountedBy, seen, status } = f;
  const phase = phaseOf(f);
  const explanation = explain(f, phase);
  const intervals = intervalsOf(f);
  const sizeGi = capacityGi ?? status.sizeGi;
  const volumeName = (f.bound ? claim?.spec?.volumeName : undefined) ?? status.volumeName;
  const claimUID = claim?.metadata.uid ?? status.claimUID;
  // For a missing volume, the last known node.
  const node = seen.volume ? seen.tie : status.node;
  const address = files.wanted && files.explanation?.reason === 'FilesReady' ? addressOf(f) : undefined;
  return {
    phase,
    reason: explanation.reason,
    ...(Object.keys(explanation.args).length > 0 && { reasonArgs: explanation.args }),
    message: sentenceOf(explanation),
    ...(owner.metadata.generation !== undefined && { observedGeneration: owner.metadata.generation }),
    conditions: conditionsOf(f, files, [readyOf(f, phase, explanation), resizedOf(f), enforcedOf(f), tiedOf(f)]),
    ...(sizeGi !== undefined && { sizeGi }),
    ...(mountedBy.length > 0 && { mountedBy: [...mountedBy] }),
    ...(volumeName !== undefined && { volumeName }),
    ...(claimUID !== undefined && { claimUID }),
    ...(node !== undefined && { node }),
    ...(intervals.length > 0 && { intervals: [...intervals] }),
    ...(address && { files: address }),
  };
}

const sentenceOf = ({ reason, args }: Explanation): string => sentence(dataDisk.reasons[reason], 'en', args);

function conditionsOf(
  { status, now, fileServer }: Facts,
  { explanation }: Files,
  four: readonly (readonly [Is, Explanation])[],
): Condition[] {
  const next = (type: string, is: Is, why: Explanation) =>
    nextCondition(status.conditions, { type, status: is, ...why, message: sentenceOf(why) }, now);
  const served: Is = explanation?.reason === 'FilesReady' && readySince(fileServer) ? 'True' : 'False';
  return [
    ...TYPES.map((type, index) => {
      const [is, why] = four[index] as readonly [Is, Explanation];
      return next(type, is, why);
    }),
    ...(explanation ? [next('FilesAvailable', served, explanation)] : []),
  ];
}
