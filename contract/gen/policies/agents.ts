// The accounts that carry Snapshots out: a node's agent, and the registry.
import { GROUP } from '@gantry/contract/define-kind.ts';
import { dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { snapshot } from '@gantry/contract/kinds/snapshot.ts';
import {
  AGENT_ACCOUNT,
  AGENT_KIND,
  ANNOTATION,
  agentLease,
  LABEL,
  REGISTRY_ACCOUNT,
  WEIGHTS_SUFFIX,
} from '@gantry/contract/names.ts';
import { coreOn, ofAccount, type Policy } from './policy.ts';

const changes = (resource: string) => `request.resource.resource == '${resource}'`;
/** `agentLease`, of a node that is known only there. */
const AGENT_LEASE = `variables.node + '${agentLease('')}'`;
const sameBut = (field: string, now: string, before: string) => sameUnless(`key == '${field}'`, now, before);
const sameUnless = (but: string, now: string, before: string) =>
  `(variables.${now}.map(key, key) + variables.${before}.map(key, key)).all(key, ${but} || variables.${now}[?key] == variables.${before}[?key])`;
const sameIn = (...fields: string[]) =>
  fields.map((field) => `object.metadata.?${field} == oldObject.metadata.?${field}`).join(' && ');

/**
 * Every node has the same account, and RBAC does not know which node it speaks from. The API server does: a token bound to a Pod
 * names the Pod's node (Kubernetes 1.32). So taking over one node does not take over the others.
 */
export const agentPolicy: Policy = {
  name: 'gantry-agent-on-its-node',
  on: [
    { groups: ['coordination.k8s.io'], resources: ['leases'], operations: ['CREATE', 'UPDATE'] },
    {
      groups: [GROUP],
      resources: [snapshot, dataDisk, gpuInstance].map(({ plural }) => `${plural}/status`),
      operations: ['UPDATE'],
    },
    coreOn(['nodes'], 'UPDATE'),
  ],
  when: ofAccount(AGENT_ACCOUNT),
  variables: {
    node: "request.userInfo.?extra[?'authentication.kubernetes.io/node-name'].orValue([]).join(',')",
    isSign: `${changes('leases')} && object.metadata.name == ${AGENT_LEASE}`,
    isClaim: `${changes('leases')} && request.operation == 'UPDATE' && object.metadata.name == variables.node`,
    isNode: changes('nodes'),
    labels: 'object.metadata.?labels.orValue({})',
    oldLabels: 'oldObject.?metadata.?labels.orValue({})',
    annotations: 'object.metadata.?annotations.orValue({})',
    oldAnnotations: 'oldObject.?metadata.?annotations.orValue({})',
    status: 'object.?status.orValue({})',
    oldStatus: 'oldObject.?status.orValue({})',
  },
  rules: [
    [
      "variables.node != ''",
      'The agent acts with a token that is bound to its Pod: this one does not say on which node it is (Kubernetes 1.32 or newer)',
    ],
    [
      `!(${changes('leases')}) || variables.isSign || variables.isClaim`,
      "='metadata.name: of Leases the agent of node ' + variables.node + ' writes its own sign of life, and the answer on the claim of its node'",
    ],
    [
      `!variables.isSign || object.metadata.?labels.orValue({}) == {'${LABEL.kind}': '${AGENT_KIND}'}`,
      `metadata.labels: the Lease of an agent says ${LABEL.kind}: ${AGENT_KIND}, and nothing else`,
    ],
    [
      `!variables.isClaim || (object.spec == oldObject.spec && ${sameBut(ANNOTATION.wiped, 'annotations', 'oldAnnotations')} && ${sameIn('labels', 'finalizers', 'ownerReferences')})`,
      `Of the claim of its node the agent changes the annotation ${ANNOTATION.wiped} alone`,
    ],
    [
      `!variables.isNode || object.metadata.name == variables.node`,
      "='metadata.name: the agent of node ' + variables.node + ' labels no other node'",
    ],
    [
      `!variables.isNode || (object.spec == oldObject.spec && ${sameUnless(`key.contains('${WEIGHTS_SUFFIX}')`, 'labels', 'oldLabels')} && ${sameIn('annotations', 'finalizers', 'ownerReferences')})`,
      `Of its node the agent changes labels with ${WEIGHTS_SUFFIX} alone`,
    ],
    [
      `!(${changes(snapshot.plural)}) || oldObject.spec.?node.orValue('') == variables.node`,
      "='spec.node: the agent of node ' + variables.node + ' carries out only Snapshots of its own node'",
    ],
    [
      `variables.isNode || ${changes(snapshot.plural)} || ${changes('leases')} || ${sameBut('usage', 'status', 'oldStatus')}`,
      'status: of a disk or an instance the agent writes the usage alone',
    ],
    [
      `variables.isNode || ${changes(snapshot.plural)} || ${changes('leases')} || variables.status.?usage.?node.orValue('') == variables.node`,
      "='status.usage.node: the agent of node ' + variables.node + ' says only what it measured there'",
    ],
    [
      `!(${changes(gpuInstance.plural)}) || variables.oldStatus.?node.orValue('') == variables.node`,
      "='status.node: the agent of node ' + variables.node + ' measures only instances that are there'",
    ],
  ],
};

/** It answers copies within the registry; what containers and homes were saved as, the agents say. */
export const registryPolicy: Policy = {
  name: 'gantry-registry-copies',
  on: [{ groups: [GROUP], resources: [`${snapshot.plural}/status`], operations: ['UPDATE'] }],
  when: ofAccount(REGISTRY_ACCOUNT),
  rules: [["oldObject.spec.of == 'Copy'", 'spec.of: of Snapshots the registry carries out copies alone']],
};
