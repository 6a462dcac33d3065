// An instance's Pod and claim, to create again without the operator: what the API server and the node take by themselves.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { CLAIM } from '../../operator/src/resources.ts';
import type { Company } from './company.ts';

export interface Model {
  readonly pod: KubeObject;
  readonly claim: KubeObject;
}

/** The children that the operator made in its first run. */
export const modelOf = async (
  { fleet, namespace, pods }: Pick<Company, 'fleet' | 'namespace' | 'pods'>,
  instance: string,
): Promise<Model> => ({
  pod: await fleet.client.get(pods, namespace, `${instance}-1`),
  claim: await fleet.client.get(CLAIM, namespace, `${instance}-home`),
});

/** Under another name, without an owner, to be scheduled again. */
export function bare({ apiVersion, kind, metadata, spec }: KubeObject & { spec?: object }, name: string): KubeObject {
  const {
    nodeName: _placed,
    volumeName: _bound,
    ...wanted
  } = (spec ?? {}) as { nodeName?: string; volumeName?: string };
  const volumes = (wanted as { volumes?: { persistentVolumeClaim?: object }[] }).volumes?.map((volume) =>
    volume.persistentVolumeClaim ? { ...volume, persistentVolumeClaim: { claimName: name } } : volume,
  );
  return {
    apiVersion,
    kind,
    metadata: { name, ...(metadata.namespace !== undefined && { namespace: metadata.namespace }) },
    spec: { ...wanted, ...(volumes && { volumes }) },
  } as KubeObject;
}
