// Policies for writes that the gateway makes in its own name, not as the calling member.
import { GROUP, type KindFacts } from '@gantry/contract/define-kind.ts';
import { TASK_ANSWERS, TASK_CONDITIONS } from '@gantry/contract/kinds/data-task.ts';
import { TRACKING_ANSWERS } from '@gantry/contract/kinds/job-tracking.ts';
import {
  DATA_SERVER,
  DATA_TASK_POD,
  DOCTOR_ACCOUNT,
  ENV_SUFFIX,
  FILL_POD,
  FINALIZER,
  GATEWAY_ACCOUNT,
  GATEWAY_SECRETS_POLICY,
  KUBECONFIG_PREFIX,
  KUBECONFIG_SECRET,
  KUBELET_CONFIGURATION,
  KUBELET_SUMMARY,
  LABEL,
  PULL_SECRET,
  REGISTRY_LOGIN_SECRET,
  REPLICA_POD,
  USAGE_ACCOUNT,
  WORKER_POD,
} from '@gantry/contract/names.ts';
import { namesOfPlatform } from './members.ts';
import { closedWhy, coreOn, inOrganization, isVariablesOf, kindsOn, ofAccount, type Policy } from './policy.ts';

export const gatewayPolicies = (kinds: readonly KindFacts[]): Policy[] => {
  const costly = kinds.filter(({ cost }) => cost);
  return [gatewaySecrets, gatewayNodes, doctorNodes, gatewayPods, gatewayBilling(costly), gatewayDeletes(costly)];
};

const isKubeconfig = [
  `variables.secret.type == '${KUBECONFIG_SECRET}'`,
  `variables.secret.metadata.name.startsWith('${KUBECONFIG_PREFIX}')`,
  'size(variables.secret.?data.orValue({})) == 0',
].join(' && ');
const isRegistryLogin = `variables.secret.type == '${REGISTRY_LOGIN_SECRET}' && variables.secret.metadata.name != '${PULL_SECRET}'`;

/** Owned by what uses it, so that it goes with that. */
const isVariables = [
  "variables.secret.type == 'Opaque'",
  'size(variables.secret.metadata.?ownerReferences.orValue([])) == 1',
  `variables.secret.metadata.ownerReferences.all(one, ${isVariablesOf('one.kind', 'one.name', 'variables.secret.metadata.name')})`,
].join(' && ');

/**
 * It makes and deletes Secrets that hold nothing, because a member's kubeconfig ends with the one its token is bound to, and logins to
 * private registries and values of variables, which members could read in the answers if they wrote them themselves.
 */
const gatewaySecrets: Policy = {
  name: GATEWAY_SECRETS_POLICY,
  on: [coreOn(['secrets'], 'CREATE', 'UPDATE', 'DELETE')],
  when: ofAccount(GATEWAY_ACCOUNT),
  variables: { secret: 'object == null ? oldObject : object' },
  rules: [
    [inOrganization, 'The gateway writes Secrets only in namespaces of organisations'],
    ...namesOfPlatform,
    [
      `'${LABEL.managed}' in variables.secret.metadata.?labels.orValue({}) && ((${isKubeconfig}) || (${isRegistryLogin}) || (${isVariables}))`,
      `The gateway writes only Secrets that carry ${LABEL.managed}: empty ones of the type ${KUBECONFIG_SECRET} that are named ${KUBECONFIG_PREFIX}…, logins to registries, and variables of jobs and services, <object>-<letter and 7 digits>${ENV_SUFFIX}`,
    ],
  ],
};

/** A GET of a kubelet's other paths runs commands in any container of the node, and reads any log. */
const gatewayNodes: Policy = {
  name: 'gantry-gateway-nodes',
  on: [coreOn(['nodes/proxy'], 'CONNECT')],
  when: ofAccount(USAGE_ACCOUNT),
  rules: [
    [
      `object.?path.orValue('') == '${KUBELET_SUMMARY}'`,
      `The gateway reads ${KUBELET_SUMMARY} of a node, and nothing else`,
    ],
  ],
};

/** The same of those who check the cluster. */
const doctorNodes: Policy = {
  name: 'gantry-doctor-nodes',
  on: [coreOn(['nodes/proxy'], 'CONNECT')],
  when: ofAccount(DOCTOR_ACCOUNT),
  rules: [
    [
      `object.?path.orValue('') == '${KUBELET_CONFIGURATION}'`,
      `Checks of the cluster read ${KUBELET_CONFIGURATION} of a node, and nothing else`,
    ],
  ],
};

/** Names of Pods: replicas, those that take in files for replicas to come, those that read datasets or make them, workers of jobs. */
const isReached = [REPLICA_POD, FILL_POD, DATA_TASK_POD, WORKER_POD, `^${DATA_SERVER}$`]
  .map((form) => `request.name.matches('${form}')`)
  .join(' || ');

/** Whoever asks for a published service is nobody's member: the gateway goes to its replicas as itself. */
const gatewayPods: Policy = {
  name: 'gantry-gateway-pods',
  on: [coreOn(['pods/*'], 'CONNECT')],
  when: ofAccount(GATEWAY_ACCOUNT),
  rules: [
    [inOrganization, 'The gateway connects to Pods only in namespaces of organisations'],
    [
      `request.subResource == 'portforward' && (${isReached})`,
      'The gateway connects to ports of replicas, of workers of jobs, of what fills nodes with models and of what reads or makes datasets, and to nothing else',
    ],
  ],
};

const quoted = (words: readonly string[]): string => `[${words.map((word) => `'${word}'`).join(', ')}]`;
/** Conditions by which the gateway answers, besides billing's. */
const answered = `[variables.condition, ${['SetupChosen', ...TASK_CONDITIONS].map((type) => `'${type}'`).join(', ')}]`;
const ofTasks = Object.entries({ ...TASK_ANSWERS, ...TRACKING_ANSWERS })
  .map(([kind, fields]) => `(object.kind == '${kind}' && key in ${quoted(fields)})`)
  .join(' || ');

/** The gateway's own writes on billable objects are billing's: specs belong to the tenant, observations to the operator. */
const gatewayBilling = (costly: readonly KindFacts[]): Policy => {
  const inStatus = [...costly.map(({ plural }) => plural), 'organizations'].map((plural) => `${plural}/status`);
  return {
    name: 'gantry-gateway-billing',
    on: [kindsOn(costly, 'UPDATE'), { groups: [GROUP], resources: inStatus, operations: ['UPDATE'] }],
    when: ofAccount(GATEWAY_ACCOUNT),
    variables: {
      isStatus: "request.?subResource.orValue('') == 'status'",
      condition: "object.kind == 'Organization' ? 'InCredit' : 'CreditReserved'",
      finalizers: `object.metadata.?finalizers.orValue([]).filter(one, one != '${FINALIZER.billing}')`,
      oldFinalizers: `oldObject.metadata.?finalizers.orValue([]).filter(one, one != '${FINALIZER.billing}')`,
      status: 'object.?status.orValue({})',
      oldStatus: 'oldObject.?status.orValue({})',
      others: `variables.status.?conditions.orValue([]).filter(one, !(one.type in ${answered}))`,
      oldOthers: `variables.oldStatus.?conditions.orValue([]).filter(one, !(one.type in ${answered}))`,
    },
    rules: [
      [
        'variables.isStatus || object.spec == oldObject.spec',
        'spec: nobody but members of the organisation writes what they wish',
      ],
      [
        'variables.isStatus || variables.finalizers == variables.oldFinalizers',
        `metadata.finalizers: billing adds and takes away ${FINALIZER.billing} alone`,
      ],
      [
        `variables.isStatus || (${['labels', 'annotations', 'ownerReferences'].map((field) => `object.metadata.?${field} == oldObject.metadata.?${field}`).join(' && ')})`,
        'metadata: billing changes its finalizer alone',
      ],
      [
        `!variables.isStatus || (variables.status.map(key, key) + variables.oldStatus.map(key, key)).all(key, key in ['conditions', 'credit'] || (object.kind in ['ContainerService', 'ModelDeployment'] && key in ['scaling', 'traffic']) || (object.kind == 'ModelDeployment' && key in ['weights', 'setup']) || ${ofTasks} || variables.status[?key] == variables.oldStatus[?key])`,
        'status: the gateway writes billing’s condition, what is posted, a service’s scaling and traffic, how a model is served, what a data task reads, makes and has done, and whom a job’s agent lets in; the operator all else',
      ],
      [
        '!variables.isStatus || (size(variables.others) == size(variables.oldOthers) && variables.others.all(one, one in variables.oldOthers))',
        "='status.conditions: billing writes the condition ' + variables.condition + ' alone'",
      ],
    ],
  };
};

/** Data that nobody pays for any longer: as soon as somebody does, it stays. */
const gatewayDeletes = (costly: readonly KindFacts[]): Policy => ({
  name: 'gantry-gateway-deletes',
  on: [kindsOn(costly, 'DELETE')],
  when: ofAccount(GATEWAY_ACCOUNT),
  rules: [[`${closedWhy} != ''`, 'Billing deletes what an organisation without credit has, and nothing else']],
});
