// Members' use of the cluster's built-in objects: their Secrets, and connections to Pods.
import type { KindFacts } from '@gantry/contract/define-kind.ts';
import { DEVICE_ANNOTATION, DEVICE_MOUNTS, DEVICE_VARIABLE } from '@gantry/contract/gpu-access.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { INSTALLER, RECEIVER } from '@gantry/contract/models/engines.ts';
import {
  DATA_SERVER,
  DATA_TASK_POD,
  ENV_SUFFIX,
  FILES_SUFFIX,
  KUBECONFIG_PREFIX,
  LABEL,
  LIKE_GROUP,
  NOTEBOOK_SUFFIX,
  PULL_SECRET,
  REGISTRY_LOGIN_SECRET,
  REPLICA_POD,
  TENANTS_PODS,
} from '@gantry/contract/names.ts';
import { POLICY_WORDS } from '@gantry/contract/rule-words.ts';
import {
  bytesOf,
  coreOn,
  inOrganization,
  isVariablesOf,
  kindsOn,
  ofTenants,
  type Policy,
  sentenceOf,
} from './policy.ts';

/** Members need Secrets only to pull images; all Secrets share one database with everything else. */
const TENANTS_SECRETS = [REGISTRY_LOGIN_SECRET, 'Opaque'];
const MOST_SECRET_KI = 32;

/** Whoever created it first would choose an organisation's password, or the token of a disk's file server or of a notebook. */
const madeByPlatform = (suffix: string): [string, string] => [
  `request.operation != 'CREATE' || !object.metadata.name.endsWith('${suffix}')`,
  `metadata.name: Secrets whose names end in ${suffix} are made by the platform alone`,
];
export const namesOfPlatform: Policy['rules'] = [
  ...[PULL_SECRET, DATA_SERVER].map((name): [string, string] => [
    `request.operation != 'CREATE' || object.metadata.name != '${name}'`,
    `metadata.name: ${name} is made by the platform alone`,
  ]),
  ...[FILES_SUFFIX, NOTEBOOK_SUFFIX].map(madeByPlatform),
];

/** A policy sees the data of a Secret as it is sent. */
const inBase64 = (bytes: number): number => Math.ceil(bytes / 3) * 4;

/**
 * The answer to a change shows the whole Secret, even if nothing changes, and so does that to a deletion which waits for dependants
 * (`propagationPolicy: Foreground`). Therefore members neither change nor delete what nobody may read.
 */
export const managedSecrets: Policy = {
  name: 'gantry-managed-secrets',
  on: [coreOn(['secrets'], 'CREATE', 'UPDATE', 'DELETE')],
  when: ofTenants,
  rules: [
    [`!('${LABEL.managed}' in oldObject.?metadata.?labels.orValue({}))`, 'This Secret belongs to the platform'],
    // Kubernetes fills in Secrets of other types: if it puts a ServiceAccount's token there, the answer to a patch contains it.
    [
      `request.operation == 'DELETE' || object.type in [${TENANTS_SECRETS.map((type) => `'${type}'`).join(', ')}]`,
      `type: members make Secrets of the types ${TENANTS_SECRETS.join(' and ')} alone`,
    ],
    [
      `request.operation == 'DELETE' || ${bytesOf('object.?data.orValue({})')} <= ${inBase64(MOST_SECRET_KI * 1024)}`,
      `data: a Secret may hold at most ${MOST_SECRET_KI} KiB in all`,
    ],
    ...namesOfPlatform,
    madeByPlatform(ENV_SUFFIX),
  ],
};

/**
 * A program can print its variables. So none comes from a Secret that members are not to read: tokens of the platform's, logins to
 * registries, and values that another object was given. Kubernetes calls the content of logins by one name.
 */
export const secretVariables = (kinds: readonly KindFacts[]): Policy => ({
  name: 'gantry-secret-variables',
  on: [
    kindsOn(
      kinds.filter(({ spec }) => 'secretEnv' in spec.shape),
      'CREATE',
      'UPDATE',
    ),
  ],
  when: ofTenants,
  variables: {
    old: 'oldObject == null ? [] : oldObject.spec.?secretEnv.orValue([]).map(one, one.secret)',
    foreign: `object.spec.?secretEnv.orValue([]).filter(one, !(one.secret in variables.old) && (${[
      `one.secret in ['${PULL_SECRET}', '${DATA_SERVER}']`,
      `one.secret.startsWith('${KUBECONFIG_PREFIX}')`,
      ...[FILES_SUFFIX, NOTEBOOK_SUFFIX].map((suffix) => `one.secret.endsWith('${suffix}')`),
      `(one.secret.endsWith('${ENV_SUFFIX}') && !${isVariablesOf('object.kind', 'object.metadata.name', 'one.secret')})`,
    ].join(' || ')}))`,
    logins: "object.spec.?secretEnv.orValue([]).filter(one, one.key == '.dockerconfigjson')",
  },
  rules: [
    ['size(variables.foreign) == 0', sentenceOf(POLICY_WORDS.foreignSecret, { secret: 'variables.foreign[0].secret' })],
    ['size(variables.logins) == 0', sentenceOf(POLICY_WORDS.foreignSecret, { secret: 'variables.logins[0].secret' })],
  ],
});

/** Names of all its variables, and all paths of its mounts, in CEL. */
const listOf = (object: string, field: string, part: string) =>
  `${object}.spec.?${field}.orValue([]).map(one, one.${part})`;
const namesOf = (object: string) => ['env', 'secretEnv'].map((field) => listOf(object, field, 'name')).join(' + ');
const pathsOf = (object: string) => ['disks', 'mounts'].map((field) => listOf(object, field, 'mountPath')).join(' + ');

/**
 * Which devices of its node a container gets is Kubernetes' answer to what it asked for. Where NVIDIA's runtime honours them, its
 * environment and its mounts would say it too, past everybody who pays. What an object has already had stays: the operator leaves it out.
 */
export const deviceVariables = (kinds: readonly KindFacts[]): Policy => ({
  name: 'gantry-device-variables',
  on: [
    kindsOn(
      kinds.filter(({ spec }) => 'env' in spec.shape),
      'CREATE',
      'UPDATE',
    ),
  ],
  variables: {
    old: `oldObject == null ? [] : ${namesOf('oldObject')}`,
    opens: `(${namesOf('object')}).filter(name, !(name in variables.old) && name.matches('${DEVICE_VARIABLE}'))`,
    oldPaths: `oldObject == null ? [] : ${pathsOf('oldObject')}`,
    paths: `(${pathsOf('object')}).filter(path, !(path in variables.oldPaths) && path.matches('${DEVICE_MOUNTS}'))`,
  },
  rules: [
    ['size(variables.opens) == 0', sentenceOf(POLICY_WORDS.deviceVariable, { name: 'variables.opens[0]' })],
    ['size(variables.paths) == 0', sentenceOf(POLICY_WORDS.deviceMount, { path: 'variables.paths[0]' })],
  ],
});

/** Whoever makes a Pod in an organisation: no device is asked for by the words of another than Kubernetes. */
export const deviceAnnotations: Policy = {
  name: 'gantry-device-annotations',
  on: [coreOn(['pods'], 'CREATE')],
  variables: {
    opens: `object.metadata.?annotations.orValue({}).map(key, key).filter(key, key.matches('${DEVICE_ANNOTATION}'))`,
  },
  rules: [
    [
      `!${inOrganization} || size(variables.opens) == 0`,
      "='metadata.annotations: ' + variables.opens[0] + ' names devices of the node, which Kubernetes alone hands out'",
    ],
  ],
};

/** The gateway may connect to the Pods of a group as itself, and a policy tells them by their names alone. */
export const instanceNames: Policy = {
  name: 'gantry-instance-names',
  on: [kindsOn([gpuInstance], 'CREATE')],
  rules: [[`!object.metadata.name.matches('${LIKE_GROUP}')`, sentenceOf(POLICY_WORDS.likeGroup)]],
};

/**
 * A command in any other Pod would use nobody's credit and quota, sometimes as root. The port of a disk's file server is open:
 * the gateway reaches it as the calling member, and so does every Pod beside it; its token guards it.
 */
export const connections: Policy = {
  name: 'gantry-connect',
  on: [coreOn(['pods/*'], 'CONNECT')],
  when: ofTenants,
  rules: [
    [
      `${TENANTS_PODS.map((pattern) => `request.name.matches('${pattern}')`).join(' || ')} || (request.subResource == 'portforward' && request.name.endsWith('${FILES_SUFFIX}'))`,
      "='Members connect to Pods of instances, jobs and services alone: ' + request.name + ' is a Pod of the platform'",
    ],
    // A random end may look like an instance's number.
    [`!request.name.matches('${DATA_TASK_POD}')`, "='Members do not enter the worker of a data task: ' + request.name"],
    // They write a model's files, which the node keeps for the replicas that come next.
    [
      `request.subResource != 'exec' || !request.name.matches('${REPLICA_POD}') || !(object.?container.orValue('') in ['${RECEIVER}', '${INSTALLER}'])`,
      "='Members do not enter the containers that prepare a replica: ' + request.name",
    ],
  ],
};
