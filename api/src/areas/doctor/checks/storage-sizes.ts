// Do storage classes enforce the size of a volume? Tenants may name any class, so each is tried: a volume is bound, and a Pod that has
// it says how much it holds.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { type Found, namesIn } from '@gantry/contract/doctor.ts';
import { quantity } from '@gantry/contract/fields/quantity.ts';
import type { Pod, Wire } from '@gantry/kube/core-objects.ts';
import type { Resource } from '@gantry/kube/resource.ts';
import type { V1PersistentVolumeClaim, V1StorageClass } from '@kubernetes/client-node';
import { type Around, CannotTell, type Check, found } from '../check.ts';
import { CLAIM, lastWords, POD, throwAwayPod, whyNot } from '../throw-aways.ts';

type StorageClass = KubeObject & Wire<Pick<V1StorageClass, 'provisioner' | 'allowVolumeExpansion'>>;
type Claim = KubeObject & Wire<Pick<V1PersistentVolumeClaim, 'status'>>;

const STORAGE_CLASS: Resource = {
  group: 'storage.k8s.io',
  version: 'v1',
  plural: 'storageclasses',
  kind: 'StorageClass',
  namespaced: false,
};
const IS_DEFAULT = 'storageclass.kubernetes.io/is-default-class';
const MOST_CLASSES = 4;
const ASKED = '1Gi';
const LIMIT_MS = 150_000;
/** The time limit of one class; the others go on meanwhile. */
const CLASS_MS = 120_000;
const MI = 2 ** 20;
/** The factor up to which file systems and drivers round. */
const MOST_OVER = 1.2;

const SCRIPT = `df -P -k /disk | tail -n 1 | awk '{ print $2 }' > /dev/termination-log`;

export const storageSizes: Check = {
  id: 'storageSizes',
  limitMs: LIMIT_MS,
  async look(around, signal) {
    const classes = (await around.client.list(STORAGE_CLASS, {})).items as StorageClass[];
    if (classes.length === 0) return [found('noClass')];
    if ((await around.nodes()).length === 0) throw new CannotTell('noNodes');
    const sorted = classes.toSorted((a, b) => Number(isDefault(b)) - Number(isDefault(a)));
    const tried = sorted.slice(0, MOST_CLASSES);
    const untried = sorted.slice(MOST_CLASSES).map(({ metadata }) => metadata.name);
    const limit = AbortSignal.any([signal, timeUp(around, CLASS_MS)]);
    const results = await Promise.all(tried.map((each, index) => tryClass(around, each, index, limit)));
    return [
      ...results.flat(),
      ...(untried.length > 0 ? [found('classesUntried', { names: namesIn(untried) })] : []),
      ...(classes.some(isDefault) ? [] : [found('noDefaultClass')]),
    ];
  },
};

const isDefault = ({ metadata }: StorageClass) => metadata.annotations?.[IS_DEFAULT] === 'true';

function timeUp({ clock }: Around, ms: number): AbortSignal {
  const timer = new AbortController();
  clock.after(ms, () => timer.abort());
  return timer.signal;
}

async function tryClass(
  around: Around,
  { metadata: { name }, allowVolumeExpansion }: StorageClass,
  index: number,
  signal: AbortSignal,
): Promise<Found[]> {
  const { throwAways, client, probeImage: image } = around;
  const own = `disk-${throwAways.run}-${index}`;
  let why = '';
  const hasEnded = (pod: Pod) => {
    why = whyNot(pod);
    return lastWords(pod) !== undefined;
  };
  try {
    await throwAways.make(CLAIM, claimOf(own, name));
    await throwAways.make(POD, throwAwayPod({ name: own, image, script: SCRIPT, claim: own }));
    const pod = await throwAways.whenPod(own, hasEnded, signal);
    const holdsMi = Math.round(Number((lastWords(pod) ?? '').trim()) / 1024);
    if (!(holdsMi > 0)) return [found('classStuck', { name, why: whyNot(pod) })];
    const claim = (await client.get(CLAIM, CLAIM.namespace, own)) as Claim;
    const askedMi = quantity(claim.status?.capacity?.storage ?? ASKED) / MI;
    const args = { name, asked: `${Math.round(askedMi)}`, holds: `${holdsMi}` };
    return [
      found(holdsMi > askedMi * MOST_OVER ? 'classUnsized' : 'classSized', args),
      ...(allowVolumeExpansion === true ? [] : [found('classFixed', { name })]),
    ];
  } catch (error) {
    if (signal.aborted && why) return [found('classStuck', { name, why })];
    throw error;
  }
}

const claimOf = (name: string, storageClassName: string): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name },
    spec: { storageClassName, accessModes: ['ReadWriteOnce'], resources: { requests: { storage: ASKED } } },
  }) as KubeObject;
