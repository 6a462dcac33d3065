// The rights on the API server: the tenants' roles from roles.ts × KINDS, the operator's and the gateway's. Nobody here is a cluster
// administrator, and nobody reads Secrets, except the registry one per organisation, by a Role there, the door its own host keys, and,
// where backups are made, the account that makes them those of organisations.
import { GROUP, type KindFacts } from '@gantry/contract/define-kind.ts';
import { alertPolicy } from '@gantry/contract/kinds/alert-policy.ts';
import { containerService } from '@gantry/contract/kinds/container-service.ts';
import { dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { dataProcess } from '@gantry/contract/kinds/data-process.ts';
import { evaluation } from '@gantry/contract/kinds/evaluation.ts';
import { fineTune } from '@gantry/contract/kinds/fine-tune.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { image } from '@gantry/contract/kinds/image.ts';
import { job } from '@gantry/contract/kinds/job.ts';
import { modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { snapshot } from '@gantry/contract/kinds/snapshot.ts';
import {
  AGENT_ACCOUNT,
  BACKUP_ACCOUNT,
  DOCTOR_ACCOUNT,
  DOCTOR_NAMESPACE,
  DOOR_ACCOUNT,
  DOOR_HOST_KEYS,
  GATEWAY_ACCOUNT,
  GROUPS_GROUP,
  OPERATOR_ACCOUNT,
  PLATFORM_NAMESPACE,
  QUEUE_GROUP,
  REGISTRY_ACCOUNT,
  STAFF_ACCOUNT,
  tenantRole,
  USAGE_ACCOUNT,
} from '@gantry/contract/names.ts';
import { mayRole, ORG_ROLES, type OrgRole } from '@gantry/contract/roles.ts';
import { scalable } from './scale.ts';

export interface Rule {
  apiGroups: string[];
  resources: string[];
  verbs: string[];
  resourceNames?: string[];
}

const READ = ['get', 'list', 'watch'];
const CHANGE = ['create', 'update', 'patch', 'delete'];
/** The operator's: it creates, applies and deletes, and never puts. */
const KEEP = [...READ, 'create', 'patch', 'delete'];
const RBAC = 'rbac.authorization.k8s.io';

const core = (resources: string[], verbs: string[]): Rule => ({ apiGroups: [''], resources, verbs });
const inGroup = (group: string, resources: string[], verbs: string[]): Rule => ({
  apiGroups: [group],
  resources,
  verbs,
});
const scalesOf = (kinds: readonly KindFacts[]) => scalable(kinds).map(({ plural }) => `${plural}/scale`);
const pluralsOf = (kinds: readonly KindFacts[]) => kinds.map(({ plural }) => plural);
const writable = (kinds: readonly KindFacts[]) => kinds.filter(({ tenants }) => tenants === 'write');
const namespaced = (kinds: readonly KindFacts[]) => kinds.filter(({ scope }) => scope === 'Namespaced');

/** The rights of a member with this role in the organisation's namespace. */
function tenantRules(role: OrgRole, kinds: readonly KindFacts[]): Rule[] {
  const plurals = pluralsOf(namespaced(kinds));
  return [
    ...(mayRole(role, 'view')
      ? [
          inGroup(GROUP, plurals, READ),
          inGroup(GROUP, scalesOf(kinds), ['get']),
          core(['pods', 'events', 'resourcequotas', 'persistentvolumeclaims'], READ),
          core(['pods/log'], ['get']),
        ]
      : []),
    ...(mayRole(role, 'use')
      ? [
          inGroup(GROUP, pluralsOf(writable(namespaced(kinds))), CHANGE),
          inGroup(GROUP, scalesOf(writable(kinds)), ['update', 'patch']),
          // A WebSocket upgrade is a GET, and the API server requires that verb. Through ports the gateway reaches instances' web
          // content and a disk's files, as the calling member.
          core(['pods/exec', 'pods/portforward'], ['create', 'get']),
          // Write-only: a policy can refuse to change or delete a Secret of the platform's, whose answer would show it, but not to
          // read it.
          core(['secrets'], CHANGE),
        ]
      : []),
  ];
}

/** The resources that the plans of `operator/` read and write. A policy limits the namespaces in which it may write (policies.ts). */
function operatorRules(kinds: readonly KindFacts[]): Rule[] {
  const plurals = pluralsOf(kinds);
  return [
    inGroup(GROUP, plurals, [...READ, 'patch']),
    inGroup(
      GROUP,
      plurals.map((plural) => `${plural}/status`),
      ['patch'],
    ),
    // The owner's reference blocks its deletion, which takes the right to change finalizers.
    inGroup(
      GROUP,
      plurals.map((plural) => `${plural}/finalizers`),
      ['update'],
    ),
    inGroup(GROUP, pluralsOf(namespaced(kinds)), ['delete']),
    // Jobs: the runs of a schedule, which a policy tells from others.
    inGroup(GROUP, [snapshot.plural, job.plural], ['create']),
    core(['nodes', 'persistentvolumes'], READ),
    // A host's label and taint; a policy holds it to them.
    core(['nodes'], ['patch']),
    inGroup('storage.k8s.io', ['storageclasses'], READ),
    core(['pods', 'persistentvolumeclaims', 'services', 'serviceaccounts', 'namespaces'], KEEP),
    core(['resourcequotas', 'limitranges'], KEEP),
    inGroup('networking.k8s.io', ['networkpolicies'], KEEP),
    inGroup('batch', ['jobs'], KEEP),
    inGroup('apps', ['deployments'], KEEP),
    inGroup('apps', ['replicasets'], READ),
    inGroup(GROUPS_GROUP, ['leaderworkersets'], KEEP),
    inGroup(
      QUEUE_GROUP,
      ['localqueues', 'clusterqueues', 'resourceflavors', 'cohorts', 'workloadpriorityclasses'],
      KEEP,
    ),
    inGroup(QUEUE_GROUP, ['workloads'], READ),
    // The answer to a patch shows the whole Secret: a policy lets through those alone that the platform makes itself.
    core(['secrets'], ['create', 'patch']),
    inGroup(RBAC, ['roles', 'rolebindings'], KEEP),
    // The gateway's Role names the members it may act as; a policy refuses any other rule in a Role the operator writes.
    inGroup(RBAC, ['roles'], ['escalate']),
    { ...inGroup(RBAC, ['roles'], ['bind']), resourceNames: [GATEWAY_ACCOUNT, REGISTRY_ACCOUNT, BACKUP_ACCOUNT] },
    { ...inGroup(RBAC, ['clusterroles'], ['bind']), resourceNames: ORG_ROLES.map(tenantRole) },
    inGroup('coordination.k8s.io', ['leases'], READ),
    core(['events'], ['create', 'patch']),
    inGroup('events.k8s.io', ['events'], ['create', 'patch']),
  ];
}

/**
 * Reads for the gateway's caches, the Organizations it projects, and billing's writes on billable objects: its finalizer, its
 * answers in the status, and the deletion of data that nobody pays for any longer. A policy limits it to these (policies.ts). The
 * evaluator of alerts writes the status of their policies. The gateway does everything else as the calling member, but for Secrets (a Role in each organisation).
 */
function gatewayRules(kinds: readonly KindFacts[]): Rule[] {
  const costly = pluralsOf(kinds.filter(({ cost }) => cost));
  return [
    inGroup(GROUP, pluralsOf(kinds), READ),
    inGroup(GROUP, ['organizations'], ['create', 'update', 'patch', 'delete']),
    inGroup(GROUP, costly, ['patch', 'delete']),
    inGroup(
      GROUP,
      [...costly, 'organizations', alertPolicy.plural].map((plural) => `${plural}/status`),
      ['patch'],
    ),
    core(['nodes', 'pods', 'events', 'namespaces', 'resourcequotas'], READ),
    // With --service-network=proxy: the ports of services' replicas, and by a policy of nothing else.
    core(['pods/portforward'], ['create', 'get']),
  ];
}

/**
 * The rights for staff's commands on tenants' objects and on nodes: a kind's own commands and nothing else (policies/staff.ts). They see
 * logs, and claims and volumes, which no cache of the gateway's has.
 */
function staffRules(kinds: readonly KindFacts[]): Rule[] {
  return [
    inGroup(GROUP, pluralsOf(writable(namespaced(kinds))), ['get', 'patch', 'delete']),
    core(['nodes'], ['get', 'patch']),
    core(['pods/eviction'], ['create']),
    core(['pods/log'], ['get']),
    core(['persistentvolumeclaims', 'persistentvolumes'], ['list']),
  ];
}

/**
 * The right to read the kubelets' measurements. At a kubelet this right opens every Pod of its node, and no policy holds there: so it
 * belongs to an account that no program runs as and nobody has a token of. Acting as it is a matter between the gateway and the API server,
 * where a policy leaves one path of it. The kubelet's finer rights (nodes/stats, nodes/configz) do not pass the API server, which asks for
 * this one.
 */
const usageRules: Rule[] = [core(['nodes/proxy'], ['get'])];

/** The resources that checks of the cluster read everywhere. They write in a namespace of their own. */
const doctorRules: Rule[] = [
  core(['nodes', 'pods'], ['list']),
  // A kubelet's configuration: a policy leaves nothing else of it. As for usage, nobody has a token of this account.
  core(['nodes/proxy'], ['get']),
  inGroup('storage.k8s.io', ['storageclasses'], ['list']),
  inGroup(
    'admissionregistration.k8s.io',
    ['validatingadmissionpolicies', 'validatingadmissionpolicybindings'],
    ['list'],
  ),
  inGroup('coordination.k8s.io', ['leases'], ['list']),
];

/** Throw-away objects, and dry runs that are to be refused. */
const throwAwayRules: Rule[] = [
  core(['pods', 'persistentvolumeclaims'], ['create', 'get', 'list', 'delete']),
  core(['pods/log'], ['get']),
  inGroup('networking.k8s.io', ['networkpolicies'], ['create', 'list', 'delete']),
  inGroup(GROUP, [dataDisk.plural], ['create']),
  inGroup(QUEUE_GROUP, ['workloads'], ['create']),
];

/**
 * The agent's rights: for the saves that it is asked for, whether its copies are still needed, and which disks are mounted where. A
 * policy confines it to its own node (policies.ts): all nodes have the same account.
 */
function agentRules(): Rule[] {
  return [
    inGroup(GROUP, [snapshot.plural], READ),
    inGroup(GROUP, [dataDisk.plural], ['get']),
    inGroup(
      GROUP,
      [snapshot, dataDisk, gpuInstance].map(({ plural }) => `${plural}/status`),
      ['patch'],
    ),
    core(['pods'], ['list', 'watch']),
    // Which volume an instance's home is bound to: it measures how full that is.
    core(['persistentvolumeclaims'], ['get']),
    // The Node owns the agent's Lease; its labels say which models' files it has.
    core(['nodes'], ['get', 'patch']),
    // Copies of an organisation that is gone are removed too.
    core(['namespaces'], ['get']),
  ];
}

/**
 * The registry's rights: to read who may log in and which images are still needed, and to write the statuses of its copies, to which a
 * policy confines it.
 */
function registryRules(): Rule[] {
  return [
    inGroup('authentication.k8s.io', ['tokenreviews'], ['create']),
    inGroup(
      GROUP,
      [snapshot, image, gpuInstance, job, dataProcess, fineTune, evaluation, containerService, modelDeployment].map(
        ({ plural }) => plural,
      ),
      READ,
    ),
    inGroup(GROUP, [`${snapshot.plural}/status`], ['patch']),
    core(['pods'], ['list']),
  ];
}

/** Every role and binding of the platform, as objects to apply. */
export function rbacObjects(kinds: readonly KindFacts[]): object[] {
  return [
    ...ORG_ROLES.map((role) => clusterRole(tenantRole(role), tenantRules(role, kinds))),
    clusterRole(OPERATOR_ACCOUNT, operatorRules(kinds)),
    clusterRoleBinding(OPERATOR_ACCOUNT),
    // Its own election, and the claims of nodes.
    ...inPlatform(OPERATOR_ACCOUNT, [
      inGroup('coordination.k8s.io', ['leases'], ['create', 'update', 'patch', 'delete']),
    ]),
    clusterRole(GATEWAY_ACCOUNT, gatewayRules(kinds)),
    clusterRoleBinding(GATEWAY_ACCOUNT),
    ...inPlatform(GATEWAY_ACCOUNT, [
      // Signs of life of the operator and of nodes' agents.
      inGroup('coordination.k8s.io', ['leases'], READ),
      // Three accounts, by their names: no other of the platform's may the gateway act as. A token of staff's opens kept logs at the registry.
      {
        ...core(['serviceaccounts'], ['impersonate']),
        resourceNames: [STAFF_ACCOUNT, DOCTOR_ACCOUNT, USAGE_ACCOUNT],
      },
      { ...core(['serviceaccounts/token'], ['create']), resourceNames: [STAFF_ACCOUNT] },
    ]),
    clusterRole(STAFF_ACCOUNT, staffRules(kinds)),
    clusterRoleBinding(STAFF_ACCOUNT),
    clusterRole(DOCTOR_ACCOUNT, doctorRules),
    clusterRoleBinding(DOCTOR_ACCOUNT),
    ...inNamespace(DOCTOR_NAMESPACE, DOCTOR_ACCOUNT, throwAwayRules),
    clusterRole(USAGE_ACCOUNT, usageRules),
    clusterRoleBinding(USAGE_ACCOUNT),
    clusterRole(AGENT_ACCOUNT, agentRules()),
    clusterRoleBinding(AGENT_ACCOUNT),
    // For its own Lease, and for the answer on its node's claim that the node is wiped: RBAC cannot say which, a policy does.
    ...inPlatform(AGENT_ACCOUNT, [inGroup('coordination.k8s.io', ['leases'], ['get', 'create', 'update', 'patch'])]),
    clusterRole(REGISTRY_ACCOUNT, registryRules()),
    clusterRoleBinding(REGISTRY_ACCOUNT),
    clusterRole(DOOR_ACCOUNT, [inGroup(GROUP, [gpuInstance.plural], ['list', 'watch'])]),
    clusterRoleBinding(DOOR_ACCOUNT),
    ...inPlatform(DOOR_ACCOUNT, [{ ...core(['secrets'], ['get', 'update']), resourceNames: [DOOR_HOST_KEYS] }]),
    // Official images are offered to every organisation: every account on the cluster may see them.
    ...inPlatform('gantry-official-images', [inGroup(GROUP, ['images'], READ)], [EVERY_ACCOUNT]),
  ];
}

/** For an operator with `--install-crds` alone: the CRDs of these kinds, by their names, and no others. Applied by hand. */
export function installCrdsObjects(kinds: readonly KindFacts[]): object[] {
  const name = `${OPERATOR_ACCOUNT}-crds`;
  // A server-side apply that creates is authorised by name, so the name also counts for `create`.
  const crds = inGroup('apiextensions.k8s.io', ['customresourcedefinitions'], ['get', 'create', 'patch']);
  return [
    clusterRole(name, [{ ...crds, resourceNames: pluralsOf(kinds).map((plural) => `${plural}.${GROUP}`) }]),
    clusterRoleBinding(name, OPERATOR_ACCOUNT),
  ];
}

/**
 * For a platform that makes backups alone: an account that may read everything a backup holds, and the gateway's right to act as
 * it. Secrets it reads by a Role in each organisation, which the operator makes, and nowhere else.
 */
export function backupObjects(kinds: readonly KindFacts[]): object[] {
  const LIST = ['list'];
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: BACKUP_ACCOUNT, namespace: PLATFORM_NAMESPACE } },
    clusterRole(BACKUP_ACCOUNT, [
      inGroup(GROUP, pluralsOf(kinds), LIST),
      core(['namespaces', 'resourcequotas', 'limitranges', 'pods', 'persistentvolumeclaims'], LIST),
      core(['services', 'serviceaccounts'], LIST),
      inGroup('apps', ['deployments'], LIST),
      inGroup('batch', ['jobs'], LIST),
      inGroup('networking.k8s.io', ['networkpolicies'], LIST),
      inGroup(RBAC, ['roles', 'rolebindings'], LIST),
    ]),
    clusterRoleBinding(BACKUP_ACCOUNT),
    ...inPlatform(BACKUP_ACCOUNT, [{ ...core(['secrets'], ['get']), resourceNames: [DOOR_HOST_KEYS] }]),
    ...inPlatform(
      `${GATEWAY_ACCOUNT}-backup`,
      [{ ...core(['serviceaccounts'], ['impersonate']), resourceNames: [BACKUP_ACCOUNT] }],
      account(GATEWAY_ACCOUNT),
    ),
  ];
}

const EVERY_ACCOUNT = { kind: 'Group', name: 'system:serviceaccounts', apiGroup: RBAC };

const account = (name: string) => [{ kind: 'ServiceAccount', name, namespace: PLATFORM_NAMESPACE }];

const clusterRole = (name: string, rules: Rule[]) => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'ClusterRole',
  metadata: { name },
  rules,
});

const clusterRoleBinding = (name: string, who = name) => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: { name },
  roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name },
  subjects: account(who),
});

const inPlatform = (name: string, rules: Rule[], subjects: object[] = account(name)) =>
  inNamespace(PLATFORM_NAMESPACE, name, rules, subjects);

const inNamespace = (namespace: string, name: string, rules: Rule[], subjects: object[] = account(name)) => [
  { apiVersion: `${RBAC}/v1`, kind: 'Role', metadata: { name, namespace }, rules },
  {
    apiVersion: `${RBAC}/v1`,
    kind: 'RoleBinding',
    metadata: { name, namespace },
    roleRef: { apiGroup: RBAC, kind: 'Role', name },
    subjects,
  },
];
