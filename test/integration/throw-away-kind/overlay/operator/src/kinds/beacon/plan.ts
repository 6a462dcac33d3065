// A beacon consists of one Service.
import { type KubeObject, sentence } from '@gantry/contract/define-kind.ts';
import { type Beacon, beacon } from '@gantry/contract/kinds/beacon.ts';
import { LABEL } from '@gantry/contract/names.ts';
import type { Resource } from '@gantry/kube/resource.ts';
import { targetOf } from '@gantry/kube/resource.ts';
import { defineController, type Read } from '../../define-controller.ts';
import { controllerOf, ownedBy } from '../../resources.ts';

type Service = KubeObject & { spec: { sessionAffinity: string; ports: { port: number }[] } };

const SERVICE: Resource = {
  group: '',
  version: 'v1',
  plural: 'services',
  kind: 'Service',
  namespaced: true,
  labelSelector: `${LABEL.kind}=${beacon.kind}`,
};

const service: Read<Beacon, Service | undefined> = {
  of: SERVICE,
  find: ({ metadata }, caches) => caches.get(SERVICE, metadata.namespace, metadata.name) as Service | undefined,
  wakes: ({ before, after }) => controllerOf(after ?? before, beacon.kind),
};

const desiredService = (owner: Beacon): Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: {
    name: owner.metadata.name,
    namespace: owner.metadata.namespace ?? '',
    labels: { [LABEL.kind]: beacon.kind },
    ownerReferences: ownedBy(owner),
  },
  spec: { sessionAffinity: owner.spec.sticky ? 'ClientIP' : 'None', ports: [{ port: owner.spec.port }] },
});

export const beaconController = defineController({
  facts: beacon,
  reads: { service },
  plan(owner: Beacon, { service }) {
    if (owner.metadata.deletionTimestamp) {
      return service ? { remove: [targetOf(service)] } : { finalizer: 'drop' };
    }
    const wanted = desiredService(owner);
    const isRight = service?.spec.sessionAffinity === wanted.spec.sessionAffinity;
    const args = { affinity: wanted.spec.sessionAffinity };
    const reason = isRight ? 'Shining' : 'Lighting';
    return {
      finalizer: 'keep',
      create: service ? [] : [wanted],
      apply:
        service && !isRight ? [{ ...wanted, metadata: { ...wanted.metadata, uid: service.metadata.uid ?? '' } }] : [],
      status: {
        phase: isRight ? 'lit' : 'dark',
        reason,
        reasonArgs: args,
        message: sentence(beacon.reasons[reason], 'en', args),
        observedGeneration: owner.metadata.generation,
      },
    };
  },
});
