// The GPUs that a task of an organisation may get, with the memory of each: of its host, or of the pool.
import { identityOf } from '@gantry/contract/identity.ts';
import { hostWish, type Placed } from '@gantry/contract/kinds/host-of.ts';
import type { TuneCard } from '@gantry/contract/models/tune-fit.ts';
import { organizationOf } from '@gantry/contract/names.ts';
import { closedTo, placingOf } from '@gantry/kube/placement.ts';
import type { KindStore } from '../../core/kinds/kind-store.ts';
import type { Cluster } from '../../core/kinds/open-cluster.ts';
import { hostIn } from '../../core/kinds/placed-host.ts';
import { roomsOf } from '../../core/kinds/stock.ts';

const GIB = 1024 ** 3;

/** Of a model whose cards differ, the least. Those whose nodes do not say it are left out. */
export function tuneCards(
  reader: Cluster['cache']['reader'],
  pool: KindStore['pool'],
  namespace: string,
  spec: Placed,
): TuneCard[] {
  const host = hostIn(reader, namespace, spec);
  if (host === undefined && hostWish(spec) !== undefined) return [];
  const placing = placingOf({ gpu: true }, host && identityOf(host), organizationOf(namespace), pool);
  const rooms = roomsOf(reader).filter((room) => closedTo(room, placing) !== 'host');
  const known = rooms.flatMap(({ model, gpuMemoryGi }) => (model && gpuMemoryGi ? [{ model, gpuMemoryGi }] : []));
  return [...Map.groupBy(known, ({ model }) => model)].map(([model, same]) => ({
    model,
    bytes: Math.min(...same.map(({ gpuMemoryGi }) => gpuMemoryGi)) * GIB,
  }));
}
