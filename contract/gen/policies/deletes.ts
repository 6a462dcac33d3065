// Deletions that lose something: each wants to be meant.
import { GROUP } from '@gantry/contract/define-kind.ts';
import { ANNOTATION, GATEWAY_ACCOUNT, LABEL } from '@gantry/contract/names.ts';
import { POLICY_WORDS } from '@gantry/contract/rule-words.ts';
import { annotatedWithName, closedWhy, coreOn, ofAccount, type Policy, sentenceOf } from './policy.ts';

/** Billing deletes what nobody pays for any longer. */
const isUnpaid = `${Object.values(ofAccount(GATEWAY_ACCOUNT))[0]} && ${closedWhy} != ''`;

/** An instance is shut down, its work saved, before it is released. */
export const releaseOfInstances: Policy = {
  name: 'gantry-release',
  on: [{ groups: [GROUP], resources: ['gpuinstances'], operations: ['DELETE'] }],
  rules: [
    [
      [
        "oldObject.?status.?phase.orValue('') == 'shutDown'",
        // Shut down except for a save that does not succeed: giving the instance up is still possible.
        "(oldObject.?status.?phase.orValue('') == 'shuttingDown' && oldObject.?status.?reason.orValue('') in ['SaveRetrying', 'AgentAway'])",
        'has(oldObject.metadata.deletionTimestamp)',
        'has(namespaceObject.metadata.deletionTimestamp)',
        // An instance that never ran is not hibernated for lack of credit, and a stopped one stays stopped: billing deletes both
        // as they are.
        `(${isUnpaid} && (!oldObject.?status.?everReady.orValue(false) || oldObject.?status.?phase.orValue('') == 'stopped'))`,
        annotatedWithName(ANNOTATION.force),
      ].join(' || '),
      'Instance is not shut down, cannot release. Please shut down and then release.',
    ],
  ],
};

/** A disk's users keep it; and its data is lost only on purpose, or because nobody pays for it. */
export const diskDelete: Policy = {
  name: 'gantry-disk-delete',
  on: [{ groups: [GROUP], resources: ['datadisks'], operations: ['DELETE'] }],
  variables: {
    goesAnyway: [
      'has(oldObject.metadata.deletionTimestamp)',
      'has(namespaceObject.metadata.deletionTimestamp)',
      annotatedWithName(ANNOTATION.force),
    ].join(' || '),
    holders: 'oldObject.?status.?mountedBy.orValue([]).map(one, one.name)',
  },
  rules: [
    [
      'variables.goesAnyway || size(variables.holders) == 0',
      sentenceOf(POLICY_WORDS.diskMounted, { holders: "variables.holders.join(', ')" }),
    ],
    [
      `variables.goesAnyway || (${isUnpaid}) || ${annotatedWithName(ANNOTATION.confirmDelete)}`,
      `='All data on the disk is lost. To delete it anyway, first add the annotation ${ANNOTATION.confirmDelete}=' + oldObject.metadata.name`,
    ],
  ],
};

/** Whole organisations, and kinds with all their objects. */
export const confirmedDelete: Policy = {
  name: 'gantry-confirmed-delete',
  on: [
    { groups: [GROUP], resources: ['organizations'], operations: ['DELETE'] },
    { groups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], operations: ['DELETE'] },
    coreOn(['namespaces'], 'DELETE'),
  ],
  when: {
    ours: [
      "request.resource.resource == 'organizations'",
      // Not request.name: a deletion of a whole collection has none.
      `oldObject.metadata.name.endsWith('.${GROUP}')`,
      `('${LABEL.organization}' in oldObject.metadata.?labels.orValue({}))`,
    ].join(' || '),
  },
  rules: [
    [
      `has(oldObject.metadata.deletionTimestamp) || ${annotatedWithName(ANNOTATION.confirmDelete)}`,
      `='This deletes what tenants keep. To delete it anyway, first add the annotation ${ANNOTATION.confirmDelete}=' + oldObject.metadata.name`,
    ],
  ],
};
