// Objects of ours: where they live, what of their metadata members write, and in whose name they are made.
import { GROUP, type KindFacts } from '@gantry/contract/define-kind.ts';
import { START_FIELDS as SERVICE_FIELDS } from '@gantry/contract/kinds/container-service-schema.ts';
import { START_FIELDS as PROCESS_FIELDS } from '@gantry/contract/kinds/data-process-schema.ts';
import { START_FIELDS as EVALUATION_FIELDS } from '@gantry/contract/kinds/evaluation-schema.ts';
import { START_FIELDS as TUNE_FIELDS } from '@gantry/contract/kinds/fine-tune-schema.ts';
import { START_FIELDS as INSTANCE_FIELDS } from '@gantry/contract/kinds/gpu-instance-schema.ts';
import { START_FIELDS as JOB_FIELDS } from '@gantry/contract/kinds/job-schema.ts';
import { START_FIELDS as DEPLOYMENT_FIELDS } from '@gantry/contract/kinds/model-deployment-schema.ts';
import { ANNOTATION, FINALIZER, PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import { POLICY_WORDS } from '@gantry/contract/rule-words.ts';
import { bytesOf, coreOn, inOrganization, kindsOn, ofTenants, type Policy, sentenceOf } from './policy.ts';

/** kubectl keeps a copy of the applied object there: even a full `env` and `command` fit. */
const MOST_ANNOTATIONS_KI = 96;
const MOST_LABELS = 64;

/** For all kinds of ours. */
export const objectPolicies = (kinds: readonly KindFacts[]): Policy[] => {
  const namespaced = kinds.filter(({ scope }) => scope === 'Namespaced');
  const costly = namespaced.filter(({ cost }) => cost !== undefined);
  const created = namespaced.filter(({ spec }) => 'creator' in spec.shape);
  return [
    inOrganizations(namespaced),
    guardedMetadata(namespaced, costly),
    fieldOwners(namespaced),
    creator(created),
    ...Object.entries(STARTS).map(([plural, fields]) => starter(plural, fields)),
  ];
};

const inOrganizations = (namespaced: readonly KindFacts[]): Policy => ({
  name: 'gantry-kinds-in-organizations',
  on: [kindsOn(namespaced, 'CREATE')],
  rules: [
    [
      `${inOrganization} || (object.kind == 'Image' && request.namespace == '${PLATFORM_NAMESPACE}')`,
      "='metadata.namespace: ' + request.namespace + ' does not belong to an Organization; objects live in org-<id>'",
    ],
    // The operator marks the namespace before it empties it: otherwise a tenant who creates faster than it removes would prevent
    // the deletion.
    [
      `namespaceObject.metadata.?annotations[?'${ANNOTATION.confirmDelete}'].orValue('') != request.namespace`,
      "='metadata.namespace: ' + request.namespace + ' is being deleted with its Organization'",
    ],
  ],
});

const guardedMetadata = (namespaced: readonly KindFacts[], costly: readonly KindFacts[]): Policy => ({
  name: 'gantry-guarded-metadata',
  on: [kindsOn(namespaced, 'CREATE', 'UPDATE'), coreOn(['secrets'], 'CREATE', 'UPDATE')],
  when: ofTenants,
  variables: {
    labels: 'object.metadata.?labels.orValue({})',
    oldLabels: 'oldObject.?metadata.?labels.orValue({})',
    annotations: 'object.metadata.?annotations.orValue({})',
    oldAnnotations: 'oldObject.?metadata.?annotations.orValue({})',
    changedLabels: changedKeys('labels', 'oldLabels'),
    changedAnnotations: changedKeys('annotations', 'oldAnnotations', ANNOTATION.confirmDelete),
  },
  rules: [
    // Objects that cost may have billing's finalizer from the start, which saves billing a write. Nobody would remove it from
    // others.
    [
      `object.metadata.?finalizers.orValue([]) == oldObject.?metadata.?finalizers.orValue([]) || (oldObject == null && object.kind in [${costly.map(({ kind }) => `'${kind}'`).join(', ')}] && object.metadata.finalizers == ['${FINALIZER.billing}'])`,
      'metadata.finalizers: only the platform changes finalizers',
    ],
    [
      'object.metadata.?ownerReferences.orValue([]) == oldObject.?metadata.?ownerReferences.orValue([])',
      'metadata.ownerReferences: only the platform changes owners',
    ],
    [
      'size(variables.changedLabels) == 0',
      "='metadata.labels: ' + variables.changedLabels[0] + ' is set by the platform alone'",
    ],
    [
      'size(variables.changedAnnotations) == 0',
      "='metadata.annotations: ' + variables.changedAnnotations[0] + ' is set by platform staff alone'",
    ],
    // Values that were larger before these rules may shrink.
    [
      `size(variables.labels) <= ${MOST_LABELS} || size(variables.labels) <= size(variables.oldLabels)`,
      `metadata.labels: an object may have at most ${MOST_LABELS} labels`,
    ],
    [
      `${bytesOf('variables.annotations')} <= ${MOST_ANNOTATIONS_KI * 1024} || ${bytesOf('variables.annotations')} <= ${bytesOf('variables.oldAnnotations')}`,
      `metadata.annotations: an object's annotations may have at most ${MOST_ANNOTATIONS_KI} KiB in all`,
    ],
  ],
});

/** These entries decide what a server-side apply removes: without its entry a manager's old fields would stay forever. */
const fieldOwners = (namespaced: readonly KindFacts[]): Policy => ({
  name: 'gantry-field-owners',
  on: [kindsOn(namespaced, 'UPDATE')],
  when: ofTenants,
  variables: {
    before: 'oldObject.metadata.?managedFields.orValue([])',
    after: 'object.metadata.?managedFields.orValue([])',
    // If more than ten managers update, the API server joins the oldest entries under this name. An apply keeps its own entry.
    // Forging the name drops only entries of updates, which do not matter for the platform's status.
    areJoined: "variables.after.exists(one, one.manager == 'ancient-changes')",
  },
  rules: [
    [
      "variables.before.all(old, old.?subresource.orValue('') != 'status' || (old.operation == 'Update' && variables.areJoined) || variables.after.exists(one, one.manager == old.manager && one.operation == old.operation && one.?subresource.orValue('') == 'status' && one.?fieldsV1 == old.?fieldsV1))",
      'metadata.managedFields: only the platform changes who owns what in a status',
    ],
  ],
});

const creator = (created: readonly KindFacts[]): Policy => ({
  name: 'gantry-creator',
  on: [kindsOn(created, 'CREATE', 'UPDATE')],
  when: ofTenants,
  variables: { account: "request.userInfo.username.split(':')[3]" },
  rules: [
    // An object without a creator dodges no cap: if members have caps, the gate gives credit only to objects that somebody answers for.
    [
      'object.spec.?creator.orValue(variables.account) == variables.account || object.spec.?creator == oldObject.?spec.?creator',
      "='spec.creator: must be your own account, ' + variables.account",
    ],
  ],
});

const STARTS: Readonly<Record<string, readonly string[]>> = {
  gpuinstances: INSTANCE_FIELDS,
  gpujobs: JOB_FIELDS,
  containerservices: SERVICE_FIELDS,
  modeldeployments: DEPLOYMENT_FIELDS,
  dataprocesses: PROCESS_FIELDS,
  finetunes: TUNE_FIELDS,
  evaluations: EVALUATION_FIELDS,
};

/**
 * The person who starts a run, or raises its usage, pays for it: otherwise members could evade their caps with a colleague's
 * instance. The operator, which begins the runs of a schedule, has them paid by whoever set the schedule.
 */
const starter = (plural: string, fields: readonly string[]): Policy => ({
  name: `gantry-starter-${plural}`,
  on: [{ groups: [GROUP], resources: [plural], operations: ['CREATE', 'UPDATE'] }],
  when: ofTenants,
  variables: {
    account: "request.userInfo.username.split(':')[3]",
    starter:
      'object.spec.?startedBy.orValue(oldObject == null ? variables.account : object.spec.?creator.orValue(variables.account))',
    isStart: `oldObject == null || (object.spec.power == 'Running' && (${fields.map((field) => `object.spec.?${field} != oldObject.spec.?${field}`).join(' || ')}))`,
    isKept: 'oldObject != null && object.spec.?startedBy == oldObject.spec.?startedBy',
  },
  rules: [
    [
      '(variables.isKept && !variables.isStart) || variables.starter == variables.account',
      sentenceOf(POLICY_WORDS.startedByOther, { account: 'variables.account' }),
    ],
  ],
});

/** Keys under gantry.dev/ whose value differs between two variables. */
const changedKeys = (now: string, before: string, except = '') =>
  `(variables.${now}.map(key, key) + variables.${before}.map(key, key)).filter(key, key.startsWith('${GROUP}/') && key != '${except}' && variables.${now}[?key] != variables.${before}[?key])`;
