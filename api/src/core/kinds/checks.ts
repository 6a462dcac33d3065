// Reasons against a request that are known before the API server is asked: the host's cards, disks that are missing or in use,
// keys that nobody could log in with. The same would come out later; here it has numbers and a field.

import type { KindFacts } from '@gantry/contract/define-kind.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { brokenKeyRule } from '@gantry/contract/fields/ssh-key.ts';
import { gpuName } from '@gantry/contract/gpu-name.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { type DataDisk, dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { type GpuHost, gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { type GpuInstance, gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { quoted, said } from '@gantry/contract/said.ts';
import { nameOf } from '../../platform/kube/list-order.ts';
import type { WatchCache } from '../../platform/kube/watch-cache.ts';
import { hostRoom, onHost } from './stock.ts';

/** The caller, and the object in question. */
export interface Asked {
  namespace: string;
  language: Language;
  /** The one that is changed; absent for a new one. */
  id?: string;
  /** A host keeps disks for its instances: one of them may have it already. */
  mayBeHeld?: boolean;
  /** The host on which it should run. */
  host?: string | undefined;
  /** The field that names a disk, where that is not `disks.<index>.name`. */
  fieldOf?(index: number): string;
}

/** Throws no_such_reference, wrong_gpu, not_enough_gpus. */
export function checkHost(
  cache: WatchCache,
  { host: name, gpu }: Pick<GpuInstance['spec'], 'host' | 'gpu'>,
  asked: Asked,
): void {
  if (name === undefined) return;
  const host = hostNamed(cache, name, asked);
  if (!gpu) return;
  const { model, count } = host.spec.gpu;
  if (gpu.model !== model || gpu.count > count)
    throw problem(
      'wrong_gpu',
      { host: nameOf(host), model: gpuName(model), count, asked: gpuName(gpu.model), wanted: gpu.count },
      { field: 'gpu' },
    );
  const { all, free, largest } = hostRoom(host, onHost(cache, asked.namespace, name), asked.id);
  if (gpu.count > largest)
    throw problem(
      'not_enough_gpus',
      { host: nameOf(host), all, free, largest, wanted: gpu.count },
      { field: 'gpu.count' },
    );
}

export function hostNamed(cache: WatchCache, name: string, { namespace, language }: Asked): GpuHost {
  const host = cache.get<GpuHost>(gpuHost, namespace, name);
  if (host) return host;
  throw problem('no_such_reference', { what: gpuHost.words[language], name }, { field: 'host' });
}

/** Throws no_such_reference, disk_in_use. */
export function checkDisks(cache: WatchCache, disks: readonly { name: string }[] | undefined, asked: Asked): void {
  for (const [at, { name }] of (disks ?? []).entries()) {
    const disk = cache.get<DataDisk>(dataDisk, asked.namespace, name);
    const field = asked.fieldOf?.(at) ?? `disks.${at}.name`;
    if (!disk) throw problem('no_such_reference', { what: dataDisk.words[asked.language], name }, { field });
    if (!asked.mayBeHeld) checkFree(cache, disk, asked, field);
  }
}

/** The object's name for people, if it is there: a refusal names nothing by its id alone that has a name. */
export function namedIn(cache: WatchCache, namespace: string, { kind, name }: { kind: string; name: string }): string {
  const facts = Object.values<KindFacts>(KINDS).find((one) => one.kind === kind);
  const found = facts && cache.get(facts, namespace, name);
  return found ? nameOf(found) : name;
}

/** A disk with one writer goes to one; what a host keeps aside goes to its instances alone. Throws disk_in_use. */
export function checkFree(cache: WatchCache, disk: DataDisk, { namespace, id, host }: Asked, field: string): void {
  if (disk.spec.access === 'Many') return;
  const { name } = disk.metadata;
  const keeper = disk.status?.mountedBy?.find(({ kind }) => kind === 'GpuHost');
  if (keeper && keeper.name !== host)
    throw problem('disk_in_use', { disk: nameOf(disk), by: namedIn(cache, namespace, keeper) }, { field });
  const wishes = cache
    .list<GpuInstance>(gpuInstance, namespace)
    .filter(
      ({ spec, metadata }) =>
        spec.power === 'Running' && spec.disks?.some((one) => one.name === name) && metadata.name !== id,
    );
  const holder = disk.status?.mountedBy?.find((one) => one.kind === 'GpuInstance' && one.name !== id);
  const by = holder ? namedIn(cache, namespace, holder) : wishes[0] && nameOf(wishes[0]);
  if (by !== undefined) throw problem('disk_in_use', { disk: nameOf(disk), by }, { field });
}

/** Throws ssh_key_malformed. */
export function checkKeys(keys: readonly { remark: string; publicKey: string }[] | undefined): void {
  for (const [at, { remark, publicKey }] of (keys ?? []).entries()) {
    const broken = brokenKeyRule(publicKey);
    if (!broken) continue;
    const rule = quoted('rule', said(broken.words, broken.args));
    throw problem('ssh_key_malformed', { remark, ...rule }, { field: `sshKeys.${at}.publicKey` });
  }
}
