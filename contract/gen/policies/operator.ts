// The places in which the operator may write: RBAC cannot name namespaces that do not exist yet.
import { GROUP } from '@gantry/contract/define-kind.ts';
import { job } from '@gantry/contract/kinds/job.ts';
import {
  BACKUP_ACCOUNT,
  DATA_SERVER,
  FILES_SUFFIX,
  GATEWAY_ACCOUNT,
  GROUPS_GROUP,
  LABEL,
  NOTEBOOK_SUFFIX,
  OPERATOR_ACCOUNT,
  PLATFORM_NAMESPACE,
  PROBE_NAMESPACE,
  PULL_SECRET,
  QUEUE_COHORT,
  QUEUE_GROUP,
  REGISTRY_ACCOUNT,
  REGISTRY_LOGIN_SECRET,
} from '@gantry/contract/names.ts';
import { coreOn, inOrganization, ofAccount, type Policy } from './policy.ts';

const ofOperator = ofAccount(OPERATOR_ACCOUNT);

const writes = (resource: string, namespace: string) =>
  `(request.resource.resource == '${resource}' && request.namespace == '${namespace}')`;

const actsAsMembers =
  "rule.verbs == ['impersonate'] && rule.resources == ['serviceaccounts'] && size(rule.?resourceNames.orValue([])) > 0";
const isGateways = `object.metadata.name == '${GATEWAY_ACCOUNT}'`;
const asksForTokens = `${isGateways} && rule.verbs == ['create'] && rule.resources == ['serviceaccounts/token'] && size(rule.?resourceNames.orValue([])) > 0`;
const keepsKubeconfigs = `${isGateways} && rule.verbs == ['create', 'delete'] && rule.apiGroups == [''] && rule.resources == ['secrets']`;
const readsPullSecret = [
  `object.metadata.name == '${REGISTRY_ACCOUNT}'`,
  "rule.verbs == ['get'] && rule.apiGroups == [''] && rule.resources == ['secrets']",
  `rule.?resourceNames.orValue([]) == ['${PULL_SECRET}']`,
].join(' && ');
const listsSecrets = [
  `object.metadata.name == '${BACKUP_ACCOUNT}'`,
  "rule.verbs == ['list'] && rule.apiGroups == [''] && rule.resources == ['secrets']",
].join(' && ');
const isMember = `(one.namespace == request.namespace && object.roleRef.kind == 'ClusterRole')`;
const isPlatforms = `(one.namespace == '${PLATFORM_NAMESPACE}' && one.name in ['${GATEWAY_ACCOUNT}', '${REGISTRY_ACCOUNT}', '${BACKUP_ACCOUNT}'] && object.roleRef.kind == 'Role' && object.roleRef.name == one.name)`;

const UID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';
const isHostTaint = `taint.effect == 'NoSchedule' && taint.?value.orValue('').matches('${UID}')`;

export const operatorPolicies: Policy[] = [
  {
    name: 'gantry-operator-namespaces',
    on: [coreOn(['namespaces'], 'CREATE', 'UPDATE', 'DELETE')],
    when: ofOperator,
    rules: [["request.name.startsWith('org-')", 'The operator writes only namespaces of organisations']],
  },
  // Nodes are not ours: one label, and taints that carry the uid of a host, whatever their key.
  {
    name: 'gantry-operator-nodes',
    on: [coreOn(['nodes'], 'UPDATE')],
    when: ofOperator,
    variables: {
      labels: 'object.metadata.?labels.orValue({})',
      oldLabels: 'oldObject.metadata.?labels.orValue({})',
      label: `variables.labels[?'${LABEL.nodeHost}'].orValue('')`,
      taints: `object.spec.?taints.orValue([]).filter(taint, !(${isHostTaint}))`,
      oldTaints: `oldObject.spec.?taints.orValue([]).filter(taint, !(${isHostTaint}))`,
    },
    rules: [
      [
        `(variables.labels.map(key, key) + variables.oldLabels.map(key, key)).all(key, key == '${LABEL.nodeHost}' || variables.labels[?key] == variables.oldLabels[?key])`,
        `metadata.labels: of a node the operator changes ${LABEL.nodeHost} alone`,
      ],
      [
        `variables.label == '' || variables.label.matches('${UID}')`,
        `metadata.labels: ${LABEL.nodeHost} is the uid of a GpuHost`,
      ],
      [
        'variables.taints == variables.oldTaints',
        'spec.taints: of a node the operator changes only taints of GpuHosts: NoSchedule, with the uid of one as their value',
      ],
      [
        'object.spec.?unschedulable == oldObject.spec.?unschedulable && object.metadata.?annotations == oldObject.metadata.?annotations && object.metadata.?finalizers == oldObject.metadata.?finalizers && object.metadata.?ownerReferences == oldObject.metadata.?ownerReferences',
        'Of a node the operator changes a label and a taint, and nothing else',
      ],
    ],
  },
  {
    name: 'gantry-operator-writes',
    on: [
      coreOn(['pods', 'persistentvolumeclaims', 'services'], 'CREATE', 'UPDATE', 'DELETE'),
      { groups: ['batch'], resources: ['jobs'], operations: ['CREATE', 'UPDATE', 'DELETE'] },
      { groups: ['apps'], resources: ['deployments'], operations: ['CREATE', 'UPDATE', 'DELETE'] },
      { groups: [GROUPS_GROUP], resources: ['leaderworkersets'], operations: ['CREATE', 'UPDATE', 'DELETE'] },
    ],
    when: ofOperator,
    rules: [
      [
        [inOrganization, writes('jobs', PLATFORM_NAMESPACE), writes('pods', PROBE_NAMESPACE)].join(' || '),
        'The operator writes this only in namespaces of organisations; beside them Jobs of the platform and Pods of the probe',
      ],
      // Official images are tried out beside the platform's accounts, which may do more than the operator.
      [
        `request.operation == 'DELETE' || object.kind != 'Job' || request.namespace != '${PLATFORM_NAMESPACE}' || object.spec.template.spec.?serviceAccountName.orValue('default') == 'default'`,
        "spec.template.spec.serviceAccountName: the operator's Jobs run as no account of the platform",
      ],
    ],
  },
  // In the job queue, only objects named as ours may be written; and no organisation's queue serves another one's namespace.
  {
    name: 'gantry-operator-queues',
    on: [
      {
        groups: [QUEUE_GROUP],
        resources: ['localqueues', 'clusterqueues', 'resourceflavors', 'cohorts', 'workloadpriorityclasses'],
        operations: ['CREATE', 'UPDATE', 'DELETE'],
      },
    ],
    when: ofOperator,
    variables: { plural: 'request.resource.resource' },
    rules: [
      [
        `variables.plural == 'localqueues' ? ${inOrganization} : variables.plural == 'clusterqueues' ? request.name.startsWith('org-') : request.name == '${QUEUE_COHORT}' || request.name.startsWith('${QUEUE_COHORT}-')`,
        'Of the job queue the operator writes LocalQueues in namespaces of organisations, ClusterQueues named org-…, and the rest named gantry or gantry-…',
      ],
      [
        "request.operation == 'DELETE' || variables.plural != 'clusterqueues' || object.spec.?namespaceSelector.?matchLabels.orValue({}) == {'kubernetes.io/metadata.name': object.metadata.name}",
        'spec.namespaceSelector: the ClusterQueue of an organisation serves its namespace alone',
      ],
    ],
  },
  {
    // Someone pays for what a run uses: it says for whom the schedule runs.
    name: 'gantry-operator-runs',
    on: [{ groups: [GROUP], resources: [job.plural], operations: ['CREATE'] }],
    when: ofOperator,
    rules: [
      [
        `'${LABEL.schedule}' in object.metadata.?labels.orValue({}) && object.metadata.?ownerReferences.orValue([]).exists(one, one.kind == '${job.kind}' && one.name == object.metadata.labels['${LABEL.schedule}'])`,
        `metadata: the operator makes only Jobs that a schedule owns and ${LABEL.schedule} names`,
      ],
      ['!has(object.spec.schedule)', 'spec.schedule: the run of a schedule has no schedule of its own'],
    ],
  },
  {
    // It may patch Secrets, and the answer shows their content: so only Secrets that it created itself, by name, type and label.
    name: 'gantry-operator-secrets',
    on: [coreOn(['secrets'], 'CREATE', 'UPDATE')],
    when: ofOperator,
    variables: { before: 'oldObject == null ? object : oldObject' },
    rules: [
      [inOrganization, 'The operator writes Secrets only in namespaces of organisations'],
      [
        `[object, variables.before].all(one, '${LABEL.managed}' in one.metadata.?labels.orValue({}))`,
        `metadata.labels: the operator writes only Secrets that carry ${LABEL.managed}`,
      ],
      [
        [
          `(object.metadata.name == '${PULL_SECRET}' && object.type == '${REGISTRY_LOGIN_SECRET}')`,
          `(object.metadata.name == '${DATA_SERVER}' && object.type == 'Opaque')`,
          ...[FILES_SUFFIX, NOTEBOOK_SUFFIX].map(
            (suffix) => `(object.metadata.name.endsWith('${suffix}') && object.type == 'Opaque')`,
          ),
        ].join(' || '),
        `metadata.name and type: the operator writes only ${PULL_SECRET}, ${DATA_SERVER}, <disk>${FILES_SUFFIX} for file servers and <instance>${NOTEBOOK_SUFFIX}`,
      ],
    ],
  },
  {
    name: 'gantry-operator-tenancy',
    on: [
      coreOn(['serviceaccounts', 'resourcequotas', 'limitranges'], 'CREATE', 'UPDATE', 'DELETE'),
      { groups: ['networking.k8s.io'], resources: ['networkpolicies'], operations: ['CREATE', 'UPDATE', 'DELETE'] },
      {
        groups: ['rbac.authorization.k8s.io'],
        resources: ['roles', 'rolebindings'],
        operations: ['CREATE', 'UPDATE', 'DELETE'],
      },
    ],
    when: ofOperator,
    rules: [
      [inOrganization, 'The operator writes this only in namespaces of organisations'],
      [
        `request.operation == 'DELETE' || object.kind != 'Role' || object.?rules.orValue([]).all(rule, (${actsAsMembers}) || (${asksForTokens}) || (${keepsKubeconfigs}) || (${readsPullSecret}) || (${listsSecrets}))`,
        "rules: the operator's Roles only name whom the gateway may act as, let it keep kubeconfigs, name the one Secret that the registry reads, and let backups list Secrets",
      ],
      [
        `request.operation == 'DELETE' || object.kind != 'RoleBinding' || object.?subjects.orValue([]).all(one, one.kind == 'ServiceAccount' && (${isMember} || ${isPlatforms}))`,
        'subjects: the operator binds members to roles, and the gateway, the registry and the account of backups each to its own Role',
      ],
    ],
  },
];
