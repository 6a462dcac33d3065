// Where a deployment's replicas would fit: nodes of its host or of the pool, by the model of their cards.
import { identityOf } from '@gantry/contract/identity.ts';
import { hostWish } from '@gantry/contract/kinds/host-of.ts';
import type { ModelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import type { Place } from '@gantry/contract/models/choose-setup.ts';
import { organizationOf, WEIGHTS_SUFFIX } from '@gantry/contract/names.ts';
import { closedTo, placingOf } from '@gantry/kube/placement.ts';
import type { KindStore } from '../../core/kinds/kind-store.ts';
import type { Cluster } from '../../core/kinds/open-cluster.ts';
import { hostIn } from '../../core/kinds/placed-host.ts';
import { type Room, roomsOf } from '../../core/kinds/stock.ts';

const GIB = 1024 ** 3;

export function placesOf(
  reader: Cluster['cache']['reader'],
  pool: KindStore['pool'],
  { metadata: { namespace = '' }, spec }: ModelDeployment,
): Place[] {
  const host = hostIn(reader, namespace, spec);
  // A deployment that waits for a host is not fitted onto the pool.
  if (host === undefined && hostWish(spec) !== undefined) return [];
  const uid = host && identityOf(host);
  const placing = placingOf({ gpu: true }, uid, organizationOf(namespace), pool);
  const meant = roomsOf(reader).filter((room) => closedTo(room, placing) !== 'host');
  return placesIn(
    meant
      .filter((room) => hasLabels(room, spec.nodeLabels))
      .map((room) => (closedTo(room, placing) === undefined ? room : { ...room, freeGpus: 0 })),
  );
}

/** Labels about models on nodes would reveal what other organisations have. */
const hasLabels = ({ labels }: Room, wanted: Readonly<Record<string, string>> = {}): boolean =>
  Object.entries(wanted).every(([name, value]) => !name.includes(WEIGHTS_SUFFIX) && labels[name] === value);

/** By the model of their cards; nodes without cards need no place: Kubernetes finds one. */
const placesIn = (rooms: readonly Room[]): Place[] =>
  rooms.flatMap(({ model, gpuMemoryGi = 0, gpus, freeGpus, cores, memoryGi }) =>
    model === undefined
      ? []
      : [
          {
            model,
            cardBytes: gpuMemoryGi * GIB,
            cards: gpus,
            free: Math.max(0, freeGpus),
            cores: wholeOrTenth((cores * SHARED) / gpus),
            memoryGi: wholeOrTenth((memoryGi * SHARED) / gpus),
          },
        ],
  );

/** The rest is the node's own. */
const SHARED = 0.9;
const wholeOrTenth = (amount: number): number =>
  amount >= 1 ? Math.floor(amount) : Math.max(0.1, Math.floor(amount * 10) / 10);
