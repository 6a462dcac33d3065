// Disks: what those who have one are called, and its id once more before all data is lost.
import { createHash } from 'node:crypto';
import type { KindFacts } from '@gantry/contract/define-kind.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { type DataDisk, type DiskHolders, dataDisk, holderKey } from '@gantry/contract/kinds/data-disk.ts';
import { gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { ANNOTATION } from '@gantry/contract/names.ts';
import { nameOf } from '../../../platform/kube/list-order.ts';
import type { KindChange } from '../../../platform/kube/watch-cache.ts';
import { namedIn } from '../checks.ts';
import type { KindHooks } from './hooks.ts';

/** The kinds that can have a disk. */
const HOLDERS: readonly KindFacts[] = [gpuInstance, gpuHost];
const holdersOf = ({ status }: DataDisk) => status?.mountedBy ?? [];

export const diskHooks: KindHooks = {
  shows: HOLDERS,
  related(cache, object) {
    const { namespace = '' } = object.metadata;
    const names = holdersOf(object as DataDisk).flatMap((holder): [string, string][] => {
      const kind = HOLDERS.find((one) => one.kind === holder.kind);
      const found = kind && cache.get(kind, namespace, holder.name);
      return found ? [[holderKey(holder), nameOf(found)]] : [];
    });
    return {
      related: { holderNames: new Map(names) } satisfies DiskHolders,
      key: names.length === 0 ? '' : digestOf(names),
    };
  },
  touchedBy(cache, change) {
    const { kind, namespace, name } = change;
    if (namespace === undefined || !isRenamed(change)) return [];
    return cache
      .list<DataDisk>(dataDisk, namespace)
      .filter((disk) => holdersOf(disk).some((holder) => holder.kind === kind.kind && holder.name === name));
  },
  checkRemoval(object, cache) {
    const by = holdersOf(object as DataDisk)
      .map((holder) => namedIn(cache, object.metadata.namespace ?? '', holder))
      .join(', ');
    if (by) throw problem('disk_in_use', { disk: nameOf(object), by });
  },
  beforeDelete({ metadata: { name } }, { confirm }) {
    if (confirm !== name) throw problem('confirmation_needed', { id: name }, { field: 'confirm' });
    return { [ANNOTATION.confirmDelete]: name };
  },
};

const isRenamed = ({ kind, before, after }: KindChange): boolean =>
  HOLDERS.includes(kind) && before !== undefined && after !== undefined && nameOf(before) !== nameOf(after);

/** An ETag takes no names in other alphabets. */
const digestOf = (names: readonly (readonly [string, string])[]): string =>
  createHash('sha256').update(JSON.stringify(names)).digest('base64url').slice(0, 16);
