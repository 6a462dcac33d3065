// Staff's commands on tenants' objects and on nodes: the kinds' own commands, and none that a tenant would pay for anew. Every other policy
// holds for them, too.
import type { KindFacts } from '@gantry/contract/define-kind.ts';
import {
  ANNOTATION,
  DATA_TASK_POD,
  LABEL,
  REQUEST_ANNOTATION,
  STAFF_ACCOUNT,
  TENANTS_PODS,
} from '@gantry/contract/names.ts';
import { patchOf, staffRows } from '@gantry/contract/staff-commands.ts';
import { coreOn, inOrganization, kindsOn, ofAccount, type Policy } from './policy.ts';

const when = ofAccount(STAFF_ACCOUNT);

export const staffPolicies = (kinds: readonly KindFacts[]): Policy[] => [
  ...kinds.filter(({ tenants, scope }) => tenants === 'write' && scope === 'Namespaced').map(commandsOn),
  nodes,
  evictions,
];

/** The annotations that a command writes beside the spec. */
const MARKS = [ANNOTATION.paused, ANNOTATION.confirmDelete, REQUEST_ANNOTATION];

const unchanged = (field: string) => `object.metadata.?${field} == oldObject.metadata.?${field}`;

function commandsOn(facts: KindFacts): Policy {
  const written = writtenBy(facts);
  const kept = Object.keys(facts.spec.shape).filter((field) => !(field in written));
  return {
    name: `gantry-staff-${facts.plural}`,
    on: [kindsOn([facts], 'UPDATE', 'DELETE')],
    when,
    variables: {
      annotations: 'object == null ? {} : object.metadata.?annotations.orValue({})',
      oldAnnotations: 'oldObject.metadata.?annotations.orValue({})',
    },
    rules: [
      [inOrganization, 'Staff command what organisations have, and nothing else'],
      [
        `object == null || (${kept.map((field) => `object.spec.?${field} == oldObject.spec.?${field}`).join(' && ')})`,
        `spec: staff write what a command writes, and nothing else: ${Object.keys(written).join(', ') || 'nothing'}`,
      ],
      ...Object.entries(written).map(([field, values]): [string, string] => [
        `object == null || ${mayBecome(field, values)}`,
        `spec.${field}: no command of staff writes this`,
      ]),
      [
        `object == null || (${['labels', 'finalizers', 'ownerReferences'].map(unchanged).join(' && ')})`,
        'metadata: staff change annotations alone',
      ],
      [
        `(variables.annotations.map(key, key) + variables.oldAnnotations.map(key, key)).all(key, object == null || key in [${MARKS.map((key) => `'${key}'`).join(', ')}] || variables.annotations[?key] == variables.oldAnnotations[?key])`,
        `metadata.annotations: staff change ${MARKS.join(', ')} alone`,
      ],
    ],
  };
}

/** By field of the spec, what staff's commands write there. */
function writtenBy(facts: KindFacts): Record<string, unknown[]> {
  const written: Record<string, unknown[]> = {};
  for (const row of Object.values(staffRows(facts)))
    for (const [field, value] of Object.entries(patchOf(row))) written[field] = [...(written[field] ?? []), value];
  return written;
}

/** A number counts how often a command was given; anything else is written as it is. */
function mayBecome(field: string, values: readonly unknown[]): string {
  const old = `oldObject.spec.?${field}`;
  const isCounter = values.every((value) => typeof value === 'number');
  const isFlag = values.every((value) => typeof value === 'boolean');
  const next = isCounter
    ? `object.spec.?${field}.orValue(0) == ${old}.orValue(0) + 1`
    : isFlag
      ? `object.spec.?${field}.orValue(false) in [${values.join(', ')}]`
      : `object.spec.?${field}.orValue('') in [${values.map((value) => `'${value}'`).join(', ')}]`;
  return `object.spec.?${field} == ${old} || ${next}`;
}

const NODE_MARKS = [ANNOTATION.cordoned, ANNOTATION.gpuFaults];

/** Whether new Pods may go there, why not, whose own it is, and which of its cards have failed. */
const nodes: Policy = {
  name: 'gantry-staff-nodes',
  on: [coreOn(['nodes'], 'UPDATE')],
  when,
  variables: {
    labels: 'object.metadata.?labels.orValue({})',
    oldLabels: 'oldObject.metadata.?labels.orValue({})',
    annotations: 'object.metadata.?annotations.orValue({})',
    oldAnnotations: 'oldObject.metadata.?annotations.orValue({})',
  },
  rules: [
    [
      `(variables.labels.map(key, key) + variables.oldLabels.map(key, key)).all(key, key == '${LABEL.nodeOwner}' || variables.labels[?key] == variables.oldLabels[?key])`,
      `metadata.labels: of a node staff change ${LABEL.nodeOwner} alone`,
    ],
    [
      `variables.labels[?'${LABEL.nodeOwner}'] == variables.oldLabels[?'${LABEL.nodeOwner}'] || !('${LABEL.nodeHost}' in variables.oldLabels)`,
      `metadata.labels: ${LABEL.nodeOwner} stays while a host has the node`,
    ],
    [
      `(variables.annotations.map(key, key) + variables.oldAnnotations.map(key, key)).all(key, key in [${NODE_MARKS.map((key) => `'${key}'`).join(', ')}] || variables.annotations[?key] == variables.oldAnnotations[?key])`,
      `metadata.annotations: of a node staff change ${NODE_MARKS.join(', ')} alone`,
    ],
    [
      // Kubernetes adds its own taint for a node that takes no new Pods, in the same write.
      "object.spec.?taints.orValue([]).filter(taint, taint.key != 'node.kubernetes.io/unschedulable') == oldObject.spec.?taints.orValue([]).filter(taint, taint.key != 'node.kubernetes.io/unschedulable')",
      'spec.taints: staff do not write taints',
    ],
    [
      `${['finalizers', 'ownerReferences'].map(unchanged).join(' && ')} && object.spec.?podCIDR == oldObject.spec.?podCIDR && object.spec.?providerID == oldObject.spec.?providerID`,
      'Of a node staff change whether it takes new Pods, and nothing else',
    ],
  ],
};

/** Evictions of tenants' Pods are limited to runs, workers and replicas: the operator saves what they wrote, and starts them elsewhere. */
const evictions: Policy = {
  name: 'gantry-staff-evictions',
  on: [coreOn(['pods/eviction'], 'CREATE')],
  when,
  rules: [
    [
      `${inOrganization} && (${[...TENANTS_PODS, DATA_TASK_POD].map((pattern) => `request.name.matches('${pattern}')`).join(' || ')})`,
      "='Staff evict Pods of instances, jobs and services alone: ' + request.name + ' is none of them'",
    ],
  ],
};
