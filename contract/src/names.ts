// Names that more than one room writes or reads on the cluster. Another spelling of one of these is a bug.
import { GROUP } from './define-kind.ts';

export const PLATFORM_NAMESPACE = 'gantry-system';
export const REGISTRY = 'registry.gantry.internal';

/** An Organization `<id>` owns the namespace `org-<id>`. */
export const organizationNamespace = (id: string): string => `org-${id}`;
export const organizationOf = (namespace: string): string | undefined =>
  namespace.startsWith('org-') ? namespace.slice('org-'.length) : undefined;

export const FINALIZER = {
  /** Ours on our own kinds: nothing is left behind. */
  operator: `${GROUP}/operator`,
  /** Billing's on whatever costs: the last interval is posted. */
  billing: `${GROUP}/billing`,
  /** On Pods: the end of the run is stamped before the Pod may go. */
  metered: `${GROUP}/metered`,
} as const;

export const LABEL = {
  organization: `${GROUP}/organization`,
  kind: `${GROUP}/kind`,
  name: `${GROUP}/name`,
  run: `${GROUP}/run`,
  /** Marks Secrets and namespaces that tenants may not touch. */
  managed: `${GROUP}/managed`,
  gpuModel: 'nvidia.com/gpu.product',
} as const;

export const ANNOTATION = {
  /** Stops reconciling one object. Platform staff only: it would dodge the credit gate. */
  paused: `${GROUP}/paused`,
  confirmDelete: `${GROUP}/confirm-delete`,
  force: `${GROUP}/force`,
  /** What a Pod was built from; differs from the wanted one when the instance was edited. */
  hash: `${GROUP}/hash`,
} as const;

export const TENANT_PRIORITY_CLASS = 'gantry-tenant';
export const GPU_RESOURCE = 'nvidia.com/gpu';

/** ServiceAccounts of the platform, in its namespace; their ClusterRoles have the same names. */
export const OPERATOR_ACCOUNT = 'gantry-operator';
export const GATEWAY_ACCOUNT = 'gantry-gateway';

/** The ClusterRole that an organisation's RoleBinding gives to the members of one role. */
export const tenantRole = (role: string): string => `gantry-tenant-${role}`;

/** Where no network policy holds: Pods there tell what the policies of others let through. */
export const PROBE_NAMESPACE = 'gantry-probe';
