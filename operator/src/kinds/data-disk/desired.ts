// A disk's children: one claim, and while its files are requested, a Pod that serves them and the Secret with its token.

import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { identityOf } from '@gantry/contract/identity.ts';
import type { DataDisk } from '@gantry/contract/kinds/data-disk.ts';
import type { GpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { DISK_SUFFIX, FILES_PRIORITY_CLASS, FILES_SUFFIX, LABEL, organizationOf } from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { type PoolRules, toleratesCards, toleratesHost } from '@gantry/kube/placement.ts';
import { onNodesOf } from '../../host-nodes.ts';
import { type Claim, ownedBy } from '../../resources.ts';

/** The installation's settings for every disk. */
export interface DiskSettings extends Pick<PoolRules, 'hostTaintKey' | 'gpuTaints'> {
  creditGate: 'required' | 'off';
  agentImage: string;
  /** A secret of the platform's that belongs to this text. */
  keyed(text: string): string;
}

/** The file server's port in its Pod. */
export const FILES_PORT = 8080;

export const claimName = ({ metadata }: KubeObject): string => `${metadata.name}${DISK_SUFFIX}`;
export const filesName = ({ metadata }: KubeObject): string => `${metadata.name}${FILES_SUFFIX}`;

/** The disk that a claim of this name would be of. */
export const diskOfClaim = (name: string): string | undefined =>
  name.endsWith(DISK_SUFFIX) ? name.slice(0, -DISK_SUFFIX.length) : undefined;

export const labelsOf = ({ kind, metadata }: DataDisk) => ({ [LABEL.kind]: kind, [LABEL.name]: metadata.name });

const ACCESS_MODE: Record<DataDisk['spec']['access'], string> = { Single: 'ReadWriteOncePod', Many: 'ReadWriteMany' };

export function desiredClaim(owner: DataDisk): Claim {
  const { sizeGi, storageClassName, access } = owner.spec;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: claimName(owner),
      namespace: owner.metadata.namespace ?? '',
      labels: labelsOf(owner),
      ownerReferences: ownedBy(owner),
    },
    spec: {
      accessModes: [ACCESS_MODE[access]],
      ...(storageClassName && { storageClassName }),
      resources: { requests: { storage: `${sizeGi}Gi` } },
    },
  };
}

const TOKEN_DIR = '/token';
const ROOT = '/disk';

/** The place where a first mount creates the volume, perhaps for good: on its host, otherwise preferably where an instance could use it. */
export function firstPlace(
  { metadata }: DataDisk,
  host: GpuHost | undefined,
  { hostTaintKey, gpuTaints }: DiskSettings,
) {
  // A server of files is no simulated one.
  const tolerations = [
    ...toleratesCards({ gpuTaints, simulatedNodes: false }),
    ...toleratesHost(host && identityOf(host), hostTaintKey),
  ];
  if (host) return { affinity: onNodesOf(host), tolerations };
  const own = { operator: 'In', values: [organizationOf(metadata.namespace ?? '') ?? ''] };
  const preferred = [{ operator: 'DoesNotExist' }, own].map((owner) => ({
    weight: 100,
    preference: {
      matchExpressions: [
        { key: LABEL.gpuModel, operator: 'Exists' },
        { key: LABEL.nodeHost, operator: 'DoesNotExist' },
        { key: LABEL.nodeOwner, ...owner },
      ],
    },
  }));
  return { affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferred } }, tolerations };
}

/** Not on the tenant's own quota, so that without credit data can still be fetched. */
export function desiredFileServer(
  owner: DataDisk,
  { agentImage }: DiskSettings,
  place: Partial<ReturnType<typeof firstPlace>> = {},
): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: filesName(owner),
      namespace: owner.metadata.namespace ?? '',
      labels: labelsOf(owner),
      ownerReferences: ownedBy(owner),
    },
    spec: {
      priorityClassName: FILES_PRIORITY_CLASS,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: 2,
      securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
      ...place,
      // Tied to a node, it goes there whatever that node is reserved for: the data are only there.
      ...(owner.status?.node && { tolerations: [{ operator: 'Exists', effect: 'NoSchedule' }] }),
      containers: [
        {
          name: 'main',
          image: agentImage,
          args: ['disk-server', '--root', ROOT, '--listen', `:${FILES_PORT}`, '--token-file', `${TOKEN_DIR}/token`],
          ports: [{ name: 'files', containerPort: FILES_PORT }],
          // Files belong to their writers in an instance: only root can serve them all.
          securityContext: {
            runAsUser: 0,
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'], add: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER'] },
          },
          readinessProbe: { httpGet: { path: '/healthz', port: FILES_PORT }, periodSeconds: 1 },
          resources: { requests: { cpu: '20m', memory: '32Mi' }, limits: { cpu: '1', memory: '256Mi' } },
          volumeMounts: [
            { name: 'disk', mountPath: ROOT },
            { name: 'token', mountPath: TOKEN_DIR, readOnly: true },
          ],
        },
      ],
      volumes: [
        { name: 'disk', persistentVolumeClaim: { claimName: claimName(owner) } },
        { name: 'token', secret: { secretName: filesName(owner) } },
      ],
    },
  };
}

type TokenSecret = KubeObject & { type: string; data: Record<string, string> };

export const desiredToken = (owner: DataDisk, { keyed }: DiskSettings): TokenSecret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: filesName(owner),
    namespace: owner.metadata.namespace ?? '',
    labels: { ...labelsOf(owner), [LABEL.managed]: 'true' },
    ownerReferences: ownedBy(owner),
  },
  type: 'Opaque',
  data: { token: btoa(keyed(`files/${identityOf(owner)}`)) },
});
