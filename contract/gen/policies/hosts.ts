// Policies for hosts: for the instances on a host, and for the nodes under it.
import { GROUP } from '@gantry/contract/define-kind.ts';
import { gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { ANNOTATION } from '@gantry/contract/names.ts';
import { POLICY_WORDS } from '@gantry/contract/rule-words.ts';
import { annotatedWithName, type Policy, sentenceOf } from './policy.ts';

export const hostPolicies: Policy[] = [
  {
    name: 'gantry-instances-on-hosts',
    on: [{ groups: [GROUP], resources: ['gpuinstances'], operations: ['CREATE', 'UPDATE'] }],
    params: gpuHost,
    variables: {
      isThis: "object.spec.?host.orValue('') == params.metadata.name",
      asks: 'object.spec.?gpu.?count.orValue(0)',
      // Turning an old instance off does not require a valid size.
      isOld:
        'oldObject != null && oldObject.spec.?host == object.spec.?host && oldObject.spec.?gpu == object.spec.?gpu',
    },
    rules: [
      [
        '!variables.isThis || variables.isOld || variables.asks <= params.spec.gpu.count',
        "='spec.gpu.count: ' + string(variables.asks) + ' GPUs do not fit on one node of host ' + params.metadata.name + ', which has ' + string(params.spec.gpu.count)",
      ],
      [
        '!variables.isThis || variables.isOld || variables.asks == 0 || object.spec.gpu.model == params.spec.gpu.model',
        "='spec.gpu.model: host ' + params.metadata.name + ' has ' + params.spec.gpu.model + ', not ' + object.spec.gpu.model",
      ],
    ],
  },
  {
    name: 'gantry-release-of-hosts',
    on: [{ groups: [GROUP], resources: ['gpuhosts'], operations: ['DELETE'] }],
    params: gpuInstance,
    rules: [
      [
        [
          "params.spec.?host.orValue('') != oldObject.metadata.name",
          "params.spec.power != 'Running'",
          'has(oldObject.metadata.deletionTimestamp)',
          'has(namespaceObject.metadata.deletionTimestamp)',
          annotatedWithName(ANNOTATION.force),
        ].join(' || '),
        sentenceOf(POLICY_WORDS.instanceOnHost, { instance: 'params.metadata.name' }),
      ],
    ],
  },
  {
    name: 'gantry-returned-hosts',
    on: [{ groups: [GROUP], resources: ['gpuhosts'], operations: ['UPDATE'] }],
    rules: [
      [
        '!has(oldObject.status) || !has(oldObject.status.returnedAt) || object.spec.?months == oldObject.spec.?months',
        sentenceOf(POLICY_WORDS.hostReturned),
      ],
    ],
  },
];
