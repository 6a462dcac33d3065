// Members' use of the cluster's built-in objects: their Secrets, and connections to Pods.
import {
  FILES_SUFFIX,
  INSTANCE_POD,
  LABEL,
  NOTEBOOK_SUFFIX,
  PULL_SECRET,
  REGISTRY_LOGIN_SECRET,
} from '@gantry/contract/names.ts';
import { bytesOf, coreOn, ofTenants, type Policy } from './policy.ts';

/** Members need Secrets only to pull images; all Secrets share one database with everything else. */
const TENANTS_SECRETS = [REGISTRY_LOGIN_SECRET, 'Opaque'];
const MOST_SECRET_KI = 32;

/** Whoever created it first would choose an organisation's password, or the token of a disk's file server or of a notebook. */
export const namesOfPlatform: Policy['rules'] = [
  [
    `request.operation != 'CREATE' || object.metadata.name != '${PULL_SECRET}'`,
    `metadata.name: ${PULL_SECRET} is made by the platform alone`,
  ],
  ...[FILES_SUFFIX, NOTEBOOK_SUFFIX].map((suffix): [string, string] => [
    `request.operation != 'CREATE' || !object.metadata.name.endsWith('${suffix}')`,
    `metadata.name: Secrets whose names end in ${suffix} are made by the platform alone`,
  ]),
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
  ],
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
      `request.name.matches('${INSTANCE_POD}') || (request.subResource == 'portforward' && request.name.endsWith('${FILES_SUFFIX}'))`,
      "='Members connect to Pods of instances alone: ' + request.name + ' is a Pod of the platform'",
    ],
  ],
};
