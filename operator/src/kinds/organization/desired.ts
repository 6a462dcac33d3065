// An Organization's children: a namespace, and in it quota, limits, network policies, accounts and their rights.

import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import { GI } from '@gantry/contract/fields/quantity.ts';
import { closedToTenants } from '@gantry/contract/inner-addresses.ts';
import { containerService } from '@gantry/contract/kinds/container-service.ts';
import { MOST_REVISIONS } from '@gantry/contract/kinds/container-service-schema.ts';
import { dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { TASK_ANSWERS, TASK_PORT } from '@gantry/contract/kinds/data-task.ts';
import { gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { job } from '@gantry/contract/kinds/job.ts';
import { modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { closedBecause, type Organization } from '@gantry/contract/kinds/organization.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { RECEIVER_PORT } from '@gantry/contract/models/engines.ts';
import {
  BACKUP_ACCOUNT,
  CREDIT_QUOTA,
  DATA_SERVER,
  DATA_SERVER_PORT,
  FILES_PRIORITY_CLASS,
  GATEWAY_ACCOUNT,
  GPU_RESOURCE,
  LABEL,
  MOST_CHECKS,
  MOST_FILLS,
  organizationNamespace,
  PLATFORM_NAMESPACE,
  PLATFORM_PRIORITY_CLASS,
  PULL_SECRET,
  REGISTRY,
  REGISTRY_ACCOUNT,
  TENANT_PRIORITY_CLASS,
  tenantRole,
  WORKERS_SERVICE,
} from '@gantry/contract/names.ts';
import { ORG_ROLES } from '@gantry/contract/roles.ts';
import type { CreditGate } from '../../credit.ts';
import type { QueueSettings } from '../../queue-capacity.ts';
import { COMPUTE_QUOTA, ownedBy } from '../../resources.ts';
import { count, gibibytes } from './quantity.ts';
import type { Stored } from './reads.ts';

/** The installation's settings for every organisation. */
export interface OrganizationSettings extends QueueSettings {
  creditGate: CreditGate;
  /** Private ranges that tenants may reach all the same. */
  allowedCidrs: readonly string[];
  /** Registries inside, as host[:port], that images may come from all the same. */
  allowedRegistries: readonly string[];
  /** Pod, Service and node ranges, where they are public addresses; private ones are closed anyway. */
  clusterCidrs: readonly string[];
  /** Addresses of name servers besides the Pods that Kubernetes labels kube-dns: a node-local cache, an external server. */
  dnsCidrs: readonly string[];
  /** Holds `sh` and `nc`, for the probe of isolation. */
  probeImage: string;
  probeEveryMs: number;
  /** Reads datasets. */
  dataServerImage: string;
  /** The volume of its Pod. */
  dataServerDiskGi: number;
  /** A secret of the platform's that belongs to this text. */
  keyed(text: string): string;
}

/** The namespace, made first: nothing else can exist without it. */
export const desiredNamespace = (owner: Organization): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name: organizationNamespace(owner.metadata.name),
    labels: {
      [LABEL.organization]: owner.metadata.name,
      [LABEL.managed]: 'true',
      'pod-security.kubernetes.io/enforce': 'baseline',
      'pod-security.kubernetes.io/warn': 'restricted',
    },
    ownerReferences: ownedBy(owner),
  },
});

/** Why nothing that costs may be begun in it, in billing's words; undefined: it may. */
export const closedFor = (
  owner: Organization,
  { creditGate }: Pick<OrganizationSettings, 'creditGate'>,
): string | undefined => (creditGate === 'off' ? undefined : closedBecause(owner)?.message);

/** Everything maintained in the namespace. */
export function desiredInNamespace(owner: Organization, settings: OrganizationSettings, stored: Stored): KubeObject[] {
  const members = [...(owner.spec.members ?? [])].sort((a, b) => (a.account < b.account ? -1 : 1));
  const namespace = organizationNamespace(owner.metadata.name);
  const objects: Named[] = [
    ...quotas(owner, stored),
    ...(closedFor(owner, settings) === undefined ? [] : [CLOSED]),
    LIMITS,
    networkPolicy(settings),
    DATA_SERVER_POLICY,
    DATA_TASK_POLICY,
    dataTaskPeers(settings),
    INSTANCES_SERVICE,
    WORKERS,
    ...members.map(({ account }) => ({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      name: account,
      automountServiceAccountToken: false,
    })),
    ...ORG_ROLES.map((role) =>
      binding(
        tenantRole(role),
        'ClusterRole',
        members.filter((member) => member.role === role).map(({ account }) => ({ name: account, namespace })),
      ),
    ),
    gatewayRole(members.map(({ account }) => account)),
    binding(GATEWAY_ACCOUNT, 'Role', [{ name: GATEWAY_ACCOUNT, namespace: PLATFORM_NAMESPACE }]),
    REGISTRY_ROLE,
    binding(REGISTRY_ACCOUNT, 'Role', [{ name: REGISTRY_ACCOUNT, namespace: PLATFORM_NAMESPACE }]),
    BACKUP_ROLE,
    binding(BACKUP_ACCOUNT, 'Role', [{ name: BACKUP_ACCOUNT, namespace: PLATFORM_NAMESPACE }]),
  ];
  return objects.map(({ apiVersion, kind, name, ...rest }) => ({
    apiVersion,
    kind,
    metadata: {
      name,
      namespace,
      labels: { [LABEL.organization]: owner.metadata.name },
      ownerReferences: ownedBy(owner),
    },
    ...rest,
  }));
}

/** Its Pods' pull credentials: the registry knows the namespace by this name and password. */
export function desiredPullSecret(owner: Organization, { keyed }: Pick<OrganizationSettings, 'keyed'>): OwnSecret {
  const username = organizationNamespace(owner.metadata.name);
  const password = keyed(`registry-pull/${owner.metadata.uid}`);
  const login = { username, password, auth: btoa(`${username}:${password}`) };
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: PULL_SECRET,
      namespace: username,
      labels: { [LABEL.organization]: owner.metadata.name, [LABEL.managed]: 'true' },
      ownerReferences: ownedBy(owner),
    },
    type: 'kubernetes.io/dockerconfigjson',
    data: { '.dockerconfigjson': btoa(JSON.stringify({ auths: { [REGISTRY]: login } })) },
  };
}
export type OwnSecret = KubeObject & { type: string; data: Record<string, string> };

/** An object of the namespace, without the metadata that all of them share. */
type Named = { apiVersion: string; kind: string; name: string } & Record<string, unknown>;

/** Jobs and their Pods: a deleted one still counts for a moment. */
const CHECKS = 2 * MOST_CHECKS;
const PER_INSTANCE = { pods: 10, claims: 10 };
const MOST_FILE_SERVERS = 20;
/** About 50 of the tenants' own, plus a token for each file server and the Secrets of members' kubeconfigs. Each instance may add one. */
const SECRETS = 50 + MOST_FILE_SERVERS + 30;
/** Jobs with secret variables: each of their Secrets holds up to 32 KiB, which no queue of thousands needs. */
const SECRETIVE_JOBS = 500;
/** A service's own Secrets: of each revision that it can return to, and of the next. */
const PER_SERVICE = { secrets: MOST_REVISIONS + 1, pods: 10, replicaSets: 12 };
const OBJECTS = { configmaps: 50 };
const OWN_SERVICES = 200;
/** The limit of a kind that the quota does not name. */
const MOST_OF_A_KIND = 200;
/** Their runs are not jobs to the quota. */
const MOST_DATA_TASKS = MOST_OF_A_KIND;
const countOf = ({ plural }: { plural: string }): string => `count/${plural}.gantry.dev`;

/** Deployments of models are services to the quota: as many of each. */
const KINDS_SERVED = 2;

const NAMED_IN_QUOTA: Readonly<Record<string, 'instances' | 'disks' | 'hosts' | 'jobs' | 'services'>> = {
  [gpuInstance.plural]: 'instances',
  [dataDisk.plural]: 'disks',
  [gpuHost.plural]: 'hosts',
  [job.plural]: 'jobs',
  [containerService.plural]: 'services',
  [modelDeployment.plural]: 'services',
};

function mostOf({ plural }: KindFacts, quota: Organization['spec']['quota']): number {
  const name = NAMED_IN_QUOTA[plural];
  return name === undefined ? MOST_OF_A_KIND : quota[name];
}

const PROBE_PODS = 1;
/** One that ends still counts for a moment. */
const FILLS = 2 * MOST_FILLS;
const DATA_SERVERS = 2;

const podsOf = (priorityClass: string) => ({
  matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: [priorityClass] }],
});
const OF_TENANTS = podsOf(TENANT_PRIORITY_CLASS);

/** No new tenant Pod, whoever creates it; running ones continue until they are ended. */
const CLOSED: Named = {
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  name: CREDIT_QUOTA,
  spec: { hard: { pods: '0' }, scopeSelector: OF_TENANTS },
};

/**
 * The API server counts claims alone: each GiB in the registry is taken off their limit. A save is never refused for it, and neither is
 * a disk that existed before: an instance that was hibernated gets its home back.
 */
function quotas({ spec: { quota } }: Organization, { savedBytes, disksGi }: Stored): Named[] {
  const claimsGi = Math.min(quota.storageGi, Math.max(disksGi, quota.storageGi - Math.floor(savedBytes / GI)));
  return [
    {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      name: COMPUTE_QUOTA,
      spec: {
        hard: {
          // Waiting jobs have no Pods, and running ones are limited by their cores.
          pods: count(
            quota.instances * PER_INSTANCE.pods +
              quota.jobs +
              MOST_DATA_TASKS +
              quota.services * KINDS_SERVED * PER_SERVICE.pods,
          ),
          'requests.cpu': count(quota.cores),
          'requests.memory': gibibytes(quota.memoryGi),
          [`requests.${GPU_RESOURCE}`]: count(quota.gpus),
        },
        scopeSelector: OF_TENANTS,
      },
    },
    // The platform's Pods beside the tenants do not count against them, so that data can still be saved and fetched without
    // credit. They are limited too: each instance may need a keeper for its home.
    {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      name: 'platform',
      spec: {
        hard: { pods: count(quota.instances + CHECKS + PROBE_PODS + FILLS + DATA_SERVERS) },
        scopeSelector: podsOf(PLATFORM_PRIORITY_CLASS),
      },
    },
    {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      name: 'files',
      spec: {
        hard: { pods: count(Math.min(quota.disks, MOST_FILE_SERVERS)) },
        scopeSelector: podsOf(FILES_PRIORITY_CLASS),
      },
    },
    {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      name: 'objects',
      spec: {
        hard: {
          'requests.storage': gibibytes(claimsGi),
          persistentvolumeclaims: count(quota.instances * PER_INSTANCE.claims + quota.disks),
          secrets: count(
            SECRETS + quota.instances + Math.min(quota.jobs, SECRETIVE_JOBS) + quota.services * PER_SERVICE.secrets,
          ),
          services: count(OWN_SERVICES + quota.services * KINDS_SERVED),
          // One for the run of each job, however long it waits.
          'count/jobs.batch': count(CHECKS + quota.jobs + MOST_DATA_TASKS),
          'count/deployments.apps': count(quota.services * KINDS_SERVED),
          'count/replicasets.apps': count(quota.services * KINDS_SERVED * PER_SERVICE.replicaSets),
          ...Object.fromEntries(Object.entries(OBJECTS).map(([name, most]) => [name, count(most)])),
        },
      },
    },
    // Never together with what Kubernetes has built in: the API server counts those and kinds of ours in two places, and two
    // that write one quota at once refuse each other's objects.
    {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      name: 'kinds',
      spec: {
        hard: Object.fromEntries(
          Object.values<KindFacts>(KINDS)
            .filter(({ tenants }) => tenants === 'write')
            .map((facts) => [countOf(facts), count(mostOf(facts, quota))]),
        ),
      },
    },
  ];
}

const LIMITS: Named = {
  apiVersion: 'v1',
  kind: 'LimitRange',
  name: 'limits',
  spec: {
    limits: [
      {
        type: 'Container',
        // A quota over requests refuses a container that says none.
        defaultRequest: { cpu: '100m', memory: '128Mi', 'ephemeral-storage': '64Mi' },
        // The platform's own containers write next to nothing outside their volumes; an instance names its own limit.
        default: { 'ephemeral-storage': '1Gi' },
      },
      { type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: gibibytes(5120) } },
    ],
  },
};

/** An instance's address is `<name>.instances.<namespace>.svc`: the same over all runs, answered while it runs. */
const INSTANCES_SERVICE: Named = {
  apiVersion: 'v1',
  kind: 'Service',
  name: 'instances',
  spec: {
    clusterIP: 'None',
    selector: { [LABEL.kind]: gpuInstance.kind },
    publishNotReadyAddresses: false,
  },
};

/** A worker is `<batch Job>-<rank>.workers.<namespace>.svc` from its start: they meet before their program is ready. */
const WORKERS: Named = {
  apiVersion: 'v1',
  kind: 'Service',
  name: WORKERS_SERVICE,
  spec: {
    clusterIP: 'None',
    selector: { [LABEL.peers]: 'true' },
    publishNotReadyAddresses: true,
  },
};

/** Kinds whose workers reach nothing of their own. */
const DATA_TASKS = Object.keys(TASK_ANSWERS);

const DNS_PORTS = ['UDP', 'TCP'].map((protocol) => ({ protocol, port: 53 }));
const inNamespace = (name: string) => ({ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } } });
const ranges = (cidrs: readonly string[]) => cidrs.map((cidr) => ({ ipBlock: { cidr } }));

const dnsFor = (cidrs: readonly string[]) => ({
  to: [{ ...inNamespace('kube-system'), podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } }, ...ranges(cidrs)],
  ports: DNS_PORTS,
});

/** Tenants reach names, each other within the organisation, and public addresses; only they and the platform reach them. */
function networkPolicy({ allowedCidrs, clusterCidrs, dnsCidrs }: OrganizationSettings): Named {
  const closed = closedToTenants(clusterCidrs);
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    name: 'tenant',
    spec: {
      // Policies only ever allow: what allows less has to be the only one.
      podSelector: {
        matchExpressions: [
          { key: LABEL.dataServer, operator: 'DoesNotExist' },
          { key: LABEL.kind, operator: 'NotIn', values: DATA_TASKS },
        ],
      },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ from: [{ podSelector: {} }, inNamespace(PLATFORM_NAMESPACE)] }],
      egress: [
        dnsFor(dnsCidrs),
        { to: [{ podSelector: {} }] },
        {
          to: [
            { ipBlock: { cidr: '0.0.0.0/0', except: closed.v4 } },
            { ipBlock: { cidr: '::/0', except: closed.v6 } },
            ...ranges(allowedCidrs),
          ],
        },
      ],
    },
  };
}

/** The data server is called by the platform alone, and calls nobody. */
const DATA_SERVER_POLICY: Named = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  name: DATA_SERVER,
  spec: {
    podSelector: { matchLabels: { [LABEL.dataServer]: 'true' } },
    policyTypes: ['Ingress', 'Egress'],
    ingress: [{ from: [inNamespace(PLATFORM_NAMESPACE)], ports: [{ protocol: 'TCP', port: DATA_SERVER_PORT }] }],
    egress: [],
  },
};

/** So is the worker of a data task: what it needs, the platform brings. */
const DATA_TASK_POLICY: Named = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  name: 'data-task',
  spec: {
    podSelector: { matchExpressions: [{ key: LABEL.kind, operator: 'In', values: DATA_TASKS }] },
    policyTypes: ['Ingress', 'Egress'],
    ingress: [
      {
        from: [inNamespace(PLATFORM_NAMESPACE)],
        ports: [RECEIVER_PORT, TASK_PORT].map((port) => ({ protocol: 'TCP', port })),
      },
    ],
    egress: [],
  },
};

/** Workers that train together find each other by name, and reach nobody else. */
function dataTaskPeers({ dnsCidrs }: Pick<OrganizationSettings, 'dnsCidrs'>): Named {
  const peers = {
    matchLabels: { [LABEL.peers]: 'true' },
    matchExpressions: [{ key: LABEL.kind, operator: 'In', values: DATA_TASKS }],
  };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    name: 'data-task-peers',
    spec: {
      podSelector: peers,
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ from: [{ podSelector: peers }] }],
      egress: [dnsFor(dnsCidrs), { to: [{ podSelector: peers }] }],
    },
  };
}

const RBAC = 'rbac.authorization.k8s.io';

/**
 * The gateway acts as these members and as nobody else, and asks for tokens of theirs, each bound to an empty Secret that ends
 * it. A rule without names would mean every account: then there is no such rule. What the Secrets hold, a policy says.
 */
const gatewayRole = (accounts: string[]): Named => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'Role',
  name: GATEWAY_ACCOUNT,
  rules: [
    ...(accounts.length === 0
      ? []
      : [
          { apiGroups: [''], resources: ['serviceaccounts'], resourceNames: accounts, verbs: ['impersonate'] },
          { apiGroups: [''], resources: ['serviceaccounts/token'], resourceNames: accounts, verbs: ['create'] },
        ]),
    { apiGroups: [''], resources: ['secrets'], verbs: ['create', 'delete'] },
  ],
});

/** The registry reads this one Secret here, to know whom it lets in. */
const REGISTRY_ROLE: Named = {
  apiVersion: `${RBAC}/v1`,
  kind: 'Role',
  name: REGISTRY_ACCOUNT,
  rules: [{ apiGroups: [''], resources: ['secrets'], resourceNames: [PULL_SECRET], verbs: ['get'] }],
};

/** Backups hold what tenants keep secret; who may act as that account is another Role's to say (crds/backup). */
const BACKUP_ROLE: Named = {
  apiVersion: `${RBAC}/v1`,
  kind: 'Role',
  name: BACKUP_ACCOUNT,
  rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['list'] }],
};

/** One binding per role and not per member: a change of role is two applies, where `roleRef` could not be changed at all. */
const binding = (
  name: string,
  kind: 'Role' | 'ClusterRole',
  subjects: { name: string; namespace: string }[],
): Named => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'RoleBinding',
  name,
  roleRef: { apiGroup: RBAC, kind, name },
  subjects: subjects.map((subject) => ({ kind: 'ServiceAccount', ...subject })),
});
