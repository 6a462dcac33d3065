// The doctor's checks, in the order in which people read them.
import type { Check } from './check.ts';
import { gpuAccess, gpuExporter, gpus, jobQueue } from './checks/gpus.ts';
import { admissionPolicies, kinds, kubernetesVersion } from './checks/kubernetes.ts';
import { networkPolicies } from './checks/network-policies.ts';
import { clocks, containerRuntime, pidsLimit, registry, snapshotter } from './checks/nodes.ts';
import { databaseDurable, databaseSpeed, mail, vectors } from './checks/outside.ts';
import { storageSizes } from './checks/storage-sizes.ts';

export const CHECKS: readonly Check[] = [
  kubernetesVersion,
  kinds,
  admissionPolicies,
  networkPolicies,
  storageSizes,
  containerRuntime,
  snapshotter,
  gpus,
  gpuAccess,
  gpuExporter,
  jobQueue,
  pidsLimit,
  clocks,
  registry,
  databaseDurable,
  databaseSpeed,
  vectors,
  mail,
];
