// One step towards an organisation that is whole, or, when it is deleted, one step towards nothing of it being left.
import { type Condition, type KubeObject, sentence } from '@gantry/contract/define-kind.ts';
import {
  type Organization,
  type OrganizationReason,
  type OrganizationStatus,
  organization,
} from '@gantry/contract/kinds/organization.ts';
import { ANNOTATION, CREDIT_QUOTA, DATA_SERVER, organizationNamespace } from '@gantry/contract/names.ts';
import { nextCondition, rfc3339 } from '@gantry/contract/next-condition.ts';
import type { Refusal } from '@gantry/kube/api-error.ts';
import type { Patch } from '@gantry/kube/resource.ts';
import { type Target, targetOf } from '@gantry/kube/resource.ts';
import { type Context, defineController, type Plan } from '../../define-controller.ts';
import { isKept } from '../../drift.ts';
import { NO_ROOM } from '../../queue-capacity.ts';
import { type DataStep, dataStep, NO_DATA } from './data-server.ts';
import {
  closedFor,
  desiredInNamespace,
  desiredNamespace,
  desiredPullSecret,
  type OrganizationSettings,
} from './desired.ts';
import { type Explanation, phaseOf } from './phase.ts';
import { NOT_PROBED, type ProbeStep, probeStep } from './probe.ts';
import { desiredQueue } from './queue.ts';
import { heldIn, keptIn, type OrganizationSeen, queuesIn, reads, storedIn } from './reads.ts';
import { recounted } from './recount.ts';

type OrganizationPlan = Plan<OrganizationStatus>;

/** A refused part is tried again after this long: what stood in its way may be gone. */
const RETRY_REFUSED_MS = 60_000;

export const organizationController = defineController<Organization, typeof reads, OrganizationSettings>({
  facts: organization,
  reads,
  writes: { fields: ['namespace', 'probedAt', 'data'], conditions: ['NetworkIsolated', 'DataAvailable'] },
  plan: (owner, seen, context) => (owner.metadata.deletionTimestamp ? remove(owner, seen) : keep(owner, seen, context)),
});

function keep(owner: Organization, seen: OrganizationSeen, context: Context<OrganizationSettings>): OrganizationPlan {
  const { now, settings } = context;
  const { againInMs: recountInMs, ...own } = children(owner, seen, context);
  const steps = isAtRest(own) ? queueSteps(owner, seen, settings) : own;
  // The quota that closes an organisation without credit does not count as a missing part.
  const isMissing =
    own.create.some(({ metadata }) => metadata.name !== CREDIT_QUOTA) || !seen.namespace || isGoing(seen.namespace);
  // The organisation is whole without the server of its datasets.
  const refusals = context.refusals.filter((one) => !isOfData(one));
  const trouble = troubleOf(owner, refusals);
  const isSecretRefused = refusals.some(({ kind }) => kind === 'Secret');
  const { phase, reason } = phaseOf({
    deleting: false,
    refused: trouble?.reason,
    isMissing,
    isDrifted: own.apply.length > 0 || isSecretRefused,
    isBehind: own.apply.length + own.remove.length > 0 && !wasDone(owner),
  });
  const probe = isMissing ? NO_PROBE : probeStep(owner, seen.probes, now, settings);
  const data = isMissing ? NO_DATA : dataStep(owner, seen.dataServer, context.refusals.filter(isOfData), now, settings);
  const begun = refusals.length > 0 ? [] : [...steps.create, ...(probe.create ?? [])];
  // Its network is closed before it is there; and a refused Secret stops all that is created beside it.
  const isDataNext = refusals.length === 0 && isAtRest(own) && begun.length === 0;
  const explanation = { reason, args: phase === 'failed' && trouble ? trouble.args : namespaceArgs(owner) };
  const retryInMs = phase === 'failed' ? RETRY_REFUSED_MS : undefined;
  return {
    finalizer: 'keep',
    ...steps,
    // A refused write is not sent again in the same round.
    create: isDataNext ? data.create : begun,
    apply: refusals.length > 0 ? [] : steps.apply,
    unseen: [
      ...(isMissing || isSecretRefused ? [] : [desiredPullSecret(owner, settings)]),
      ...(isDataNext ? data.unseen : []),
    ],
    remove: [...steps.remove, ...(probe.remove ?? []), ...data.remove],
    status: statusOf(owner, explanation, {
      phase,
      ...(probe.isDone && { probedAt: rfc3339(now) }),
      ...(data.address && { data: data.address }),
      conditions: [...isolated(owner, probe, now), ...available(owner, data, now)],
    }),
    ...soonest(probe.againInMs, retryInMs, recountInMs, data.changesInMs),
  };
}

function soonest(...waits: readonly (number | undefined)[]): Pick<OrganizationPlan, 'againInMs'> {
  const [first] = waits.filter((ms) => ms !== undefined).toSorted((a, b) => a - b);
  return first === undefined ? {} : { againInMs: first };
}

/** This very wish was carried out before. */
const wasDone = ({ metadata, status }: Organization): boolean =>
  status?.phase === 'ready' && status.observedGeneration === metadata.generation;

const NO_PROBE: ProbeStep = { isDone: false };

const isOfData = ({ name }: Refusal): boolean => name === DATA_SERVER;

interface Steps {
  create: KubeObject[];
  apply: KubeObject[];
  patch: Patch[];
  remove: Target[];
}

const isAtRest = (steps: Steps): boolean => Object.values(steps).every((list) => list.length === 0);

/**
 * Its queue comes last, and is no part that it lacks: while Kueue is down, whose webhooks then refuse these writes, everything else
 * is kept as ever.
 */
function queueSteps(owner: Organization, seen: OrganizationSeen, settings: OrganizationSettings): Steps {
  if (!seen.namespace || isGoing(seen.namespace)) return NOTHING;
  const { flavors, takenPastQueue, ownRoom, openJobs, openDataProcesses, openFineTunes, openEvaluations } = seen;
  // A queue without tasks needs no current limits, so a thousand instances that start do not cost a thousand writes.
  const isAsked = openJobs + openDataProcesses + openFineTunes + openEvaluations > 0;
  const taken = isAsked ? takenPastQueue : NO_ROOM;
  const own = isAsked && settings.sharedPool === 'exclusive' ? ownRoom(settings) : new Map();
  return stepsTo(desiredQueue(owner, { flavors, taken, own }, settings), [...queuesIn(seen)]);
}
const NOTHING: Steps = { create: [], apply: [], patch: [], remove: [] };

function stepsTo(wanted: KubeObject[], existing: KubeObject[]): Steps {
  const seen = new Map(existing.map((object) => [nameOf(object), object]));
  const names = new Set(wanted.map(nameOf));
  return {
    create: wanted.filter((object) => !seen.has(nameOf(object))),
    apply: wanted.flatMap((object) => {
      const known = seen.get(nameOf(object));
      return known && !isGoing(known) && !isKept(object, known) ? [withUid(object, known)] : [];
    }),
    patch: [],
    remove: existing.filter((object) => !names.has(nameOf(object)) && !isGoing(object)).map(targetOf),
  };
}

/** Creates, corrects or removes children: missing, drifted, or of a member who is gone. */
function children(
  owner: Organization,
  { namespace, ...rest }: OrganizationSeen,
  { settings, now }: Context<OrganizationSettings>,
): Steps & { againInMs?: number } {
  const stored = storedIn({ namespace, ...rest });
  const wantedNamespace = desiredNamespace(owner);
  if (!namespace) return { create: [wantedNamespace], apply: [], patch: [], remove: [] };
  if (isGoing(namespace)) return NOTHING;

  const kept = keptIn({ namespace, ...rest });
  const { wanted, againInMs } = recounted(desiredInNamespace(owner, settings, stored), kept, now);
  const steps = stepsTo(
    [wantedNamespace, ...wanted],
    // A plan never removes it here.
    [namespace, ...kept],
  );
  const patch = annotateForPolicies(owner, namespace, settings);
  return { ...steps, patch, ...(againInMs !== undefined && { againInMs }) };
}

/** Annotations that policies read on the namespace: why nothing billable may be created, and where images may come from. */
function annotateForPolicies(owner: Organization, namespace: KubeObject, settings: OrganizationSettings): Patch[] {
  const wanted = {
    [ANNOTATION.outOfCredit]: closedFor(owner, settings),
    [ANNOTATION.innerRegistries]: settings.allowedRegistries.join(',') || undefined,
  };
  const changed = Object.entries(wanted).filter(([name, text]) => namespace.metadata.annotations?.[name] !== text);
  if (changed.length === 0) return [];
  const annotations = Object.fromEntries(changed.map(([name, text]) => [name, text ?? null]));
  return [{ ...targetOf(namespace), body: { metadata: { annotations } } }];
}

const nameOf = ({ kind, metadata }: KubeObject): string => `${kind} ${metadata.name}`;
const isGoing = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp !== undefined;
const withUid = (wanted: KubeObject, { metadata: { uid } }: KubeObject): KubeObject => ({
  ...wanted,
  metadata: { ...wanted.metadata, ...(uid !== undefined && { uid }) },
});
const namespaceArgs = ({ metadata }: Organization) => ({ namespace: organizationNamespace(metadata.name) });

/** A refusal of this reconcile; or of the last one, as long as something is still missing. */
function troubleOf(owner: Organization, refusals: readonly Refusal[]): Explanation | undefined {
  const [refusal] = refusals;
  if (refusal?.reason === 'AlreadyExists' && refusal.kind === 'Namespace') {
    return { reason: 'NameTaken', args: namespaceArgs(owner) };
  }
  if (refusal) {
    return { reason: 'Refused', args: { detail: `${refusal.kind} ${refusal.name}: ${refusal.message}` } };
  }
  const { phase, reason, reasonArgs } = owner.status ?? {};
  return phase === 'failed' ? { reason: reason as OrganizationReason, args: reasonArgs ?? {} } : undefined;
}

/**
 * In order: what tenants hold goes while the organisation is still whole, so that every run is stopped, stamped and billed;
 * then the namespace with the rest.
 */
function remove(owner: Organization, seen: OrganizationSeen): OrganizationPlan {
  const held = heldIn(seen);
  const { namespace, probes, dataServer } = seen;
  const pods = [...probes, ...(dataServer ? [dataServer] : [])];
  const left = held.length + pods.length + (namespace ? 1 : 0);
  if (left === 0) return { finalizer: 'drop' };
  const stays = [...pods, ...held, ...(namespace ? [namespace] : [])].filter((object) => !isGoing(object));
  // Policies ask for it: an instance is released only at rest, a namespace only once its deletion is confirmed. From then on
  // nothing of ours can be made in it, so that it can be emptied.
  const bare = stays.filter((object) => object.kind !== 'Pod' && !isMarked(object));
  return {
    finalizer: 'keep',
    patch: bare.map((object) => ({
      ...targetOf(object),
      body: { metadata: { annotations: { [markOf(object)]: object.metadata.name } } },
    })),
    remove: stays
      .filter((object) => !bare.includes(object) && (object !== namespace || held.length === 0))
      .map(targetOf),
    status: statusOf(owner, { reason: 'RemovingContents', args: { left: String(left) } }, { phase: 'deleting' }),
    againInMs: RETRY_REFUSED_MS,
  };
}

const markOf = ({ kind }: KubeObject): string => (kind === 'Namespace' ? ANNOTATION.confirmDelete : ANNOTATION.force);
const isMarked = (object: KubeObject): boolean =>
  object.metadata.annotations?.[markOf(object)] === object.metadata.name;

function statusOf(
  { metadata, status }: Organization,
  { reason, args }: Explanation,
  more: OrganizationStatus,
): OrganizationStatus {
  return {
    reason,
    reasonArgs: args,
    message: sentence(organization.reasons[reason], 'en', args),
    namespace: organizationNamespace(metadata.name),
    ...(metadata.generation !== undefined && { observedGeneration: metadata.generation }),
    ...(status?.probedAt && { probedAt: status.probedAt }),
    conditions: isolationKept(status),
    ...more,
  };
}

const isolationKept = (status: OrganizationStatus | undefined): Condition[] =>
  (status?.conditions ?? []).filter(({ type }) => type === 'NetworkIsolated');

/** The condition and its time: Unknown until the first probe has ended. */
function isolated({ status }: Organization, { verdict }: ProbeStep, now: number): Condition[] {
  const known = isolationKept(status);
  const wanted = verdict ?? (known.length > 0 ? undefined : NOT_PROBED);
  return wanted ? [nextCondition(known, wanted, now)] : known;
}

/** None where nobody asks for the data server. */
function available({ status }: Organization, { explanation, answers }: DataStep, now: number): Condition[] {
  if (!explanation) return [];
  const { reason, args } = explanation;
  const message = sentence(organization.reasons[reason], 'en', args);
  const is = answers ? 'True' : 'False';
  return [nextCondition(status?.conditions, { type: 'DataAvailable', status: is, reason, args, message }, now)];
}
