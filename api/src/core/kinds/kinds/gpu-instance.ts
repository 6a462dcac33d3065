// Instances: the host, the disks and the keys that they name, who spends for a run, and the image that they are exported as.

import { problem } from '@gantry/contract/http/problem.ts';
import type { GpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { START_FIELDS } from '@gantry/contract/kinds/gpu-instance-schema.ts';
import { image } from '@gantry/contract/kinds/image.ts';
import { REGISTRY } from '@gantry/contract/names.ts';
import { isApplied } from '../../../platform/kube/is-applied.ts';
import { checkDisks, checkHost, checkKeys } from '../checks.ts';
import type { KindHooks } from './hooks.ts';

type InstanceSpec = GpuInstance['spec'];

export const instanceHooks: KindHooks = {
  checkWrite(cache, asked, spec, before, write) {
    const old = (before as GpuInstance | undefined)?.spec;
    const change = spec as Partial<{ [Field in keyof InstanceSpec]: InstanceSpec[Field] | null }>;
    const touches = write !== 'change' || 'host' in spec || 'gpu' in spec;
    const host = change.host === undefined ? old?.host : change.host;
    const gpu = change.gpu === undefined ? old?.gpu : change.gpu === null ? null : { ...old?.gpu, ...change.gpu };
    if (touches && host)
      checkHost(cache, { host, ...(gpu && { gpu: gpu as NonNullable<InstanceSpec['gpu']> }) }, asked);
    checkDisks(cache, change.disks ?? undefined, { ...asked, ...(host && { host }) });
    checkKeys(change.sshKeys ?? undefined);
  },
  checkRemoval() {
    throw problem('instance_not_shut_down');
  },
  /** The person who starts a run or enlarges it pays for it; the policy refuses any other name. */
  extraPatch: (object, spec, account) => (isStart(object as GpuInstance, spec) ? { startedBy: account } : undefined),
  /** Creates an Image that names the instance: its saved files go there, into the organisation's part of the registry. */
  makes(object, options) {
    const { metadata, spec } = object as GpuInstance;
    const { displayName = spec.displayName } = options;
    return {
      facts: image,
      specOf: (id) => ({
        ...(displayName !== undefined && { displayName }),
        source: `${REGISTRY}/${metadata.namespace}/${id}:1`,
        fromInstance: metadata.name,
      }),
    };
  },
};

const isStart = ({ spec }: GpuInstance, wish: Record<string, unknown>): boolean =>
  (wish.power ?? spec.power) === 'Running' &&
  START_FIELDS.some((field) => wish[field] !== undefined && !isApplied(spec[field], wish[field]));
