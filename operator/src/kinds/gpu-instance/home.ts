// The home disk over its life: made once, grown, kept. Where its volume is tied to one node, hibernating moves its files into
// the registry, and the next run brings them back on a new claim of whichever node it gets.
// A claim goes only once its files are recorded as saved; a saved home goes only once a container started on its copy.
import { GI, quantity } from '@gantry/contract/fields/quantity.ts';
import type { GpuInstance, GpuInstanceStatus } from '@gantry/contract/kinds/gpu-instance.ts';
import type { Snapshot } from '@gantry/contract/kinds/snapshot.ts';
import { ANNOTATION, LABEL, PLATFORM_PRIORITY_CLASS, REGISTRY } from '@gantry/contract/names.ts';
import { isTerminal, type Pod } from '@gantry/kube/core-objects.ts';
import { targetOf } from '@gantry/kube/resource.ts';
import { type Claim, ownedBy } from '../../resources.ts';
import { homeLabels, homeName, type InstanceSettings, keeperName } from './desired.ts';
import { type Children, type Facts, isUnpaid, type Trouble } from './facts.ts';
import { causeOf, everStarted, runOf, saveTrouble } from './saving.ts';

export type Home = NonNullable<GpuInstanceStatus['home']>;

const digestOf = (image: string): string => image.slice(image.indexOf('@') + 1);

/** This claim is being filled from the saved home; no container has run on it. */
const isBeingRestored = (home: Claim, saved: Home): boolean =>
  home.metadata.annotations?.[ANNOTATION.restores] === digestOf(saved.image);

const isGoing = ({ metadata }: Claim | Pod): boolean => metadata.deletionTimestamp !== undefined;
const hasStarted = ({ pod }: Facts): boolean => pod !== undefined && everStarted(pod);

const homeSnapshots = ({ seen }: Facts): readonly Snapshot[] => seen.snapshots.filter(({ spec }) => spec.of === 'Home');
/** The save of the home at the end of this run. */
const saveOf = (f: Facts): Snapshot | undefined =>
  homeSnapshots(f).find((one) => runOf(one) === (f.status.run?.seq ?? 0));

/** Where the home lives in the registry, as it is to be recorded. */
export function savedHome(f: Facts): Home | undefined {
  const { status, power, home, deleting } = f;
  const known = status.home;
  if (known) {
    if (hasStarted(f)) return undefined;
    // The claim was never taken away: it is the home, and the copy is not needed.
    const isUntouched = power !== 'Hibernated' && home && !isGoing(home) && !isBeingRestored(home, known);
    return isUntouched ? undefined : known;
  }
  const save = isLeaving(f) && !deleting ? saveOf(f) : undefined;
  const { phase, digest, finishedAt, sizeBytes } = save?.status ?? {};
  if (!save || phase !== 'ready' || digest === undefined) return undefined;
  return {
    image: `${save.spec.target}@${digest}`,
    seq: runOf(save),
    savedAt: finishedAt ?? save.metadata.creationTimestamp ?? '',
    ...(sizeBytes !== undefined && { sizeBytes }),
  };
}

/** Hibernating, and the home is on its way into the registry. */
export function isLeaving(f: Facts): boolean {
  const { power, home, deleting, status, seen } = f;
  if (power !== 'Hibernated' || deleting || !home) return false;
  if (status.home) return true;
  return seen.tie?.hasAgent === true && saveOf(f)?.status?.phase !== 'failed';
}

/** One step of moving the home into the registry; the claim goes last. */
export function hibernated(f: Facts): Children {
  const { owner, keeper, home, pod, spent, seen, settings, status, run } = f;
  const tie = seen.tie;
  const useless = homeSnapshots(f).filter((one) => !one.metadata.deletionTimestamp && isUseless(one, f));
  const remove = useless.map(targetOf);
  if (!isLeaving(f) || f.status.home) {
    const gone = keeper && !isGoing(keeper) ? [targetOf(keeper)] : [];
    // Only with nobody left on it: the claim's deletion would wait for them anyway.
    const claim =
      isLeaving(f) && !keeper && !pod && spent.length === 0 && home && !isGoing(home) ? [targetOf(home)] : [];
    return { remove: [...remove, ...gone, ...claim] };
  }
  if (run || pod || spent.length > 0 || !tie || (home && isGoing(home))) return { remove };
  if (!keeper) return { remove, create: [desiredKeeper(owner, tie.node, settings)] };
  if (isGoing(keeper)) return { remove };
  if (isTerminal(keeper)) return { remove: [...remove, targetOf(keeper)] };
  const isNamed = seen.snapshots.some(({ metadata }) => metadata.name === saveName(owner, status.run?.seq ?? 0));
  if (isNamed || !keeper.status?.containerStatuses?.[0]?.state?.running) return { remove };
  return { remove, create: [desiredHomeSnapshot(owner, keeper, tie.node, status.run?.seq ?? 0)] };
}

/** Of a home that is not saved, of a holder that is not there any more, or of an earlier hibernation. */
function isUseless(save: Snapshot, f: Facts): boolean {
  if (f.deleting) return false;
  if (f.status.home) return runOf(save) !== f.status.home.seq;
  if (!isLeaving(f)) return !(f.power === 'Hibernated' && save.status?.phase === 'failed' && save === saveOf(f));
  if (save !== saveOf(f)) return true;
  return save.status?.phase !== 'ready' && f.keeper !== undefined && f.keeper.metadata.uid !== save.spec.podUID;
}

const saveName = ({ metadata }: GpuInstance, seq: number): string => `${metadata.name}-${seq}-home`;

function desiredHomeSnapshot(owner: GpuInstance, keeper: Pod, node: string, seq: number): Snapshot {
  const { name, namespace = '' } = owner.metadata;
  return {
    apiVersion: owner.apiVersion,
    kind: 'Snapshot',
    metadata: {
      name: saveName(owner, seq),
      namespace,
      labels: { ...homeLabels(owner), [LABEL.run]: String(seq) },
      ownerReferences: ownedBy(owner),
    },
    spec: {
      instance: name,
      of: 'Home',
      node,
      podName: keeper.metadata.name,
      podUID: keeper.metadata.uid ?? '',
      target: `${REGISTRY}/${namespace}/${name}.home:${seq}`,
    },
  };
}

/** Holds the home's volume while its files are read. The platform's: outside the tenants' quota, on the volume's own node. */
function desiredKeeper(owner: GpuInstance, node: string, { agentImage }: InstanceSettings): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: keeperName(owner),
      namespace: owner.metadata.namespace ?? '',
      labels: { [LABEL.kind]: 'HomeKeeper', [LABEL.name]: owner.metadata.name },
      ownerReferences: ownedBy(owner),
    },
    spec: {
      restartPolicy: 'Never',
      priorityClassName: PLATFORM_PRIORITY_CLASS,
      // Not by the scheduler: the node may be cordoned, and this is how work gets off it.
      nodeName: node,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: 1,
      tolerations: [{ operator: 'Exists' }],
      securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          name: 'main',
          image: agentImage,
          imagePullPolicy: 'IfNotPresent',
          args: ['init'],
          resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { cpu: '500m', memory: '128Mi' } },
          volumeMounts: [{ name: 'home', mountPath: '/home' }],
        },
      ],
      volumes: [{ name: 'home', persistentVolumeClaim: { claimName: homeName(owner) } }],
    },
  };
}

export function desiredHome(owner: GpuInstance, saved: Home | undefined): Claim {
  const { homeDisk } = owner.spec;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: homeName(owner),
      namespace: owner.metadata.namespace ?? '',
      labels: homeLabels(owner),
      ...(saved && { annotations: { [ANNOTATION.restores]: digestOf(saved.image) } }),
      ownerReferences: ownedBy(owner),
    },
    spec: {
      accessModes: ['ReadWriteOncePod'],
      ...(homeDisk.storageClassName && { storageClassName: homeDisk.storageClassName }),
      resources: { requests: { storage: `${homeDisk.sizeGi}Gi` } },
    },
  };
}

export function grown(f: Facts): Children {
  const { home, owner } = f;
  if (isUnpaid(f)) return {};
  const { sizeGi } = owner.spec.homeDisk;
  const asked = quantity(home?.spec?.resources?.requests?.storage) / GI;
  return home && asked < sizeGi
    ? { patch: [{ ...targetOf(home), body: { spec: { resources: { requests: { storage: `${sizeGi}Gi` } } } } }] }
    : {};
}

/** What hibernating still waits for. */
export function whileLeaving(f: Facts): Trouble | undefined {
  const node = f.seen.tie?.node;
  if (!isLeaving(f) || node === undefined || f.run || f.spent.length > 0) return undefined;
  return saveTrouble(node, saveOf(f), f) ?? { reason: 'SavingHome', args: { node } };
}

/** A hibernated home that stays where it is, and why. */
export function homeTied(f: Facts): Trouble | undefined {
  const { power, home, seen } = f;
  if (power !== 'Hibernated' || !home || !seen.tie || isLeaving(f)) return undefined;
  const { node } = seen.tie;
  const save = saveOf(f);
  if (save?.status?.phase !== 'failed') return { reason: 'HomeOnNode', args: { node } };
  return { reason: 'HomeNotSaved', args: { node, detail: causeOf(save) } };
}
