// The claim of a home disk: made once, grown, and filled from the registry where the home was saved there.
import { GI, quantity } from '@gantry/contract/fields/quantity.ts';
import type { GpuInstance, GpuInstanceStatus } from '@gantry/contract/kinds/gpu-instance.ts';
import { ANNOTATION } from '@gantry/contract/names.ts';
import { targetOf } from '@gantry/kube/resource.ts';
import { type Claim, ownedBy } from '../../../resources.ts';
import { homeLabels, homeName } from '../desired.ts';
import type { Children, Facts } from '../facts.ts';

/** The place of a home in the registry. */
export type SavedHome = NonNullable<GpuInstanceStatus['home']>;

const digestOf = (image: string): string => image.slice(image.indexOf('@') + 1);

/** This claim is being filled from the saved home; no container has run on it. */
export const isBeingRestored = (claim: Claim, saved: SavedHome): boolean =>
  claim.metadata.annotations?.[ANNOTATION.restores] === digestOf(saved.image);

export function desiredHome(owner: GpuInstance, saved: SavedHome | undefined): Claim {
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

/** Asks for a larger volume where the spec does. */
export function growHome({ home: { claim }, owner, credit }: Facts): Children {
  if (credit.isUnpaid) return {};
  const { sizeGi } = owner.spec.homeDisk;
  const requestedGi = quantity(claim?.spec?.resources?.requests?.storage) / GI;
  return claim && requestedGi < sizeGi
    ? { patch: [{ ...targetOf(claim), body: { spec: { resources: { requests: { storage: `${sizeGi}Gi` } } } } }] }
    : {};
}
