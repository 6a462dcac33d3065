// The objects that the platform needs before any of ours exist.
import {
  AGENT_ACCOUNT,
  DOCTOR_ACCOUNT,
  DOCTOR_NAMESPACE,
  DOCTOR_ROLE_LABEL,
  DOOR_ACCOUNT,
  DOOR_HOST_KEYS,
  FILES_PRIORITY_CLASS,
  GATEWAY_ACCOUNT,
  LABEL,
  OPERATOR_ACCOUNT,
  PLATFORM_NAMESPACE,
  PLATFORM_PRIORITY_CLASS,
  PROBE_NAMESPACE,
  REGISTRY_ACCOUNT,
  STAFF_ACCOUNT,
  TENANT_PRIORITY_CLASS,
  USAGE_ACCOUNT,
} from '@gantry/contract/names.ts';
import { BEYOND_KUBELETS } from '../src/kubelet-ports.ts';
import { OUTLIVES_RELEASE } from './outlives-release.ts';

/** Apart from the others, because a chart cannot make the namespace of its release. */
export const platformNamespace = (): object[] => [
  // The node agent reads what containers changed through the folders of containerd and the kubelet.
  namespace(PLATFORM_NAMESPACE, 'privileged'),
];

/** Other namespaces, the platform's ServiceAccounts and the PriorityClasses that quotas count by, as objects to apply first. */
export const platformObjects = (): object[] => [
  namespace(PROBE_NAMESPACE, 'restricted'),
  namespace(DOCTOR_NAMESPACE, 'restricted'),
  {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'throw-away', namespace: DOCTOR_NAMESPACE },
    spec: { hard: { pods: '40', 'limits.memory': '2Gi', persistentvolumeclaims: '10', 'requests.storage': '20Gi' } },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'beyond-kubelets', namespace: DOCTOR_NAMESPACE },
    spec: {
      // But for the Pods by whose ways out a check sees whether policies are enforced: no other policy may open any.
      podSelector: { matchExpressions: [{ key: DOCTOR_ROLE_LABEL, operator: 'DoesNotExist' }] },
      policyTypes: ['Egress'],
      egress: BEYOND_KUBELETS,
    },
  },
  ...ACCOUNTS.map((name) => ({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name, namespace: PLATFORM_NAMESPACE },
  })),
  // Empty, so that its keeper needs no right to create Secrets; its content is not ours to write, and people's machines remember it.
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: DOOR_HOST_KEYS,
      namespace: PLATFORM_NAMESPACE,
      labels: { [LABEL.managed]: 'true' },
      annotations: OUTLIVES_RELEASE,
    },
  },
  ...Object.entries(PRIORITY_CLASSES).map(([name, description]) => ({
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name },
    value: 0,
    preemptionPolicy: 'Never',
    description,
  })),
];

const ACCOUNTS = [
  OPERATOR_ACCOUNT,
  GATEWAY_ACCOUNT,
  STAFF_ACCOUNT,
  DOCTOR_ACCOUNT,
  USAGE_ACCOUNT,
  AGENT_ACCOUNT,
  REGISTRY_ACCOUNT,
  DOOR_ACCOUNT,
];

/** All of one priority: a ResourceQuota tells by them whose Pod it counts. */
const PRIORITY_CLASSES = {
  [TENANT_PRIORITY_CLASS]: 'What tenants run: the quota of their organisation counts it.',
  [PLATFORM_PRIORITY_CLASS]: 'What the platform runs beside tenants: checks of images, keepers of homes, probes.',
  [FILES_PRIORITY_CLASS]: 'File servers of disks.',
};

const namespace = (name: string, podSecurity: 'privileged' | 'restricted') => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name,
    labels: { [LABEL.managed]: 'true', 'pod-security.kubernetes.io/enforce': podSecurity },
  },
});
