// SSH keys on instances: removes one from all instances of a namespace, as a member with the right.
import { type GpuInstance, gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { isAbsent } from '@gantry/kube/api-error.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import { resourceOf, targetOf } from '@gantry/kube/resource.ts';
import type { WatchCache } from '../../platform/kube/watch-cache.ts';

const RESOURCE = resourceOf(gpuInstance);

export interface InstanceKeysParts {
  client: Pick<KubeClient, 'as'>;
  cache: Pick<WatchCache, 'list' | 'observe'>;
}

export class InstanceKeys {
  readonly #parts: InstanceKeysParts;

  constructor(parts: InstanceKeysParts) {
    this.#parts = parts;
  }

  /**
   * `publicKey` is type and base64; the rest of a line is a comment. Rejects if the cluster refuses or does not answer, after
   * every instance was tried.
   */
  async remove({
    namespace,
    actor,
    publicKey,
  }: {
    namespace: string;
    actor: string;
    publicKey: string;
  }): Promise<void> {
    const { client, cache } = this.#parts;
    let failure: unknown;
    const member = client.as(`system:serviceaccount:${namespace}:${actor}`);
    for (const instance of cache.list<GpuInstance>(gpuInstance, namespace)) {
      const { metadata, spec } = instance;
      const sshKeys = (spec.sshKeys ?? []).filter((key) => !isSame(key.publicKey, publicKey));
      if (sshKeys.length === (spec.sshKeys ?? []).length || metadata.deletionTimestamp) continue;
      const { resourceVersion = '' } = metadata;
      try {
        const patch = { ...targetOf(instance), resourceVersion, body: { spec: { sshKeys } } };
        cache.observe(await member.mergePatch(RESOURCE, patch));
      } catch (error) {
        if (!isAbsent(error)) failure ??= error;
      }
    }
    if (failure !== undefined) throw failure;
  }
}

const isSame = (line: string, publicKey: string): boolean => line.split(' ').slice(0, 2).join(' ') === publicKey;
