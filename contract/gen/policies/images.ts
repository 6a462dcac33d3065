// The owner of an image: those that instances run, and those that exports and Snapshots write.
import { GROUP, type KindFacts } from '@gantry/contract/define-kind.ts';
import { INNER, NOT_PUBLIC } from '@gantry/contract/inner-addresses.ts';
import { ANNOTATION, PLATFORM_NAMESPACE, REGISTRY } from '@gantry/contract/names.ts';
import { POLICY_WORDS } from '@gantry/contract/rule-words.ts';
import { kindsOn, type Policy, sentenceOf } from './policy.ts';

/** The field of each kind that names an image. */
const IMAGE_FIELD: Record<string, string> = {
  gpuinstances: 'image',
  images: 'source',
  gpujobs: 'image',
  containerservices: 'image',
};

export const imagePolicies = (kinds: readonly KindFacts[]): Policy[] => [
  ...Object.entries(IMAGE_FIELD).flatMap(([plural, field]) =>
    kinds.filter((facts) => facts.plural === plural).map((facts) => imageOfOwnRegistry(facts, field)),
  ),
  exportedImages,
  officialImages,
  snapshots,
];

/**
 * An image of our own registry is the organisation's or official; its host has only one spelling, because policies compare it.
 * Any other comes from the internet, or from an internal registry that the installation allows.
 */
const imageOfOwnRegistry = (facts: KindFacts, field: string): Policy => ({
  name: `gantry-own-images-${facts.plural}`,
  on: [kindsOn([facts], 'CREATE', 'UPDATE')],
  variables: {
    unchanged: `oldObject != null && oldObject.spec.${field} == object.spec.${field}`,
    parts: `object.spec.${field}.split('/')`,
    host: "variables.parts[0].lowerAscii().split(':')[0]",
    isOurs: `variables.host in ['${REGISTRY}', '${REGISTRY}.']`,
    // As containerd tells a registry from the first part of a name at docker.io.
    isRegistry: "variables.parts[0].matches('[.:A-Z]') || variables.host == 'localhost'",
    // A host in brackets, as IPv6 is written, is no image's: IMAGE_SOURCE refuses it.
    isInner: `isIP(variables.host) ? [${INNER.v4.map((cidr) => `'${cidr}'`).join(', ')}].exists(one, cidr(one).containsIP(variables.host)) : variables.host.matches('${NOT_PUBLIC.replaceAll('\\', '\\\\')}')`,
    allowed: `namespaceObject.metadata.?annotations[?'${ANNOTATION.innerRegistries}'].orValue('').split(',')`,
  },
  rules: [
    [
      `variables.unchanged || !variables.isOurs || variables.parts[0] == '${REGISTRY}'`,
      sentenceOf(POLICY_WORDS.registrySpelling, { field: `'${field}'` }),
    ],
    [
      "variables.unchanged || !variables.isOurs || variables.parts[1] in [request.namespace, 'official']",
      sentenceOf(POLICY_WORDS.ownImages, { field: `'${field}'`, namespace: 'request.namespace' }),
    ],
    // A node would connect to it for the tenant, bypassing every network policy, and report what answers. Staff may offer any.
    [
      `variables.unchanged || variables.isOurs || !variables.isRegistry || !variables.isInner || variables.parts[0].lowerAscii() in variables.allowed || request.namespace == '${PLATFORM_NAMESPACE}'`,
      sentenceOf(POLICY_WORDS.innerRegistry, { field: `'${field}'`, host: 'variables.parts[0]' }),
    ],
  ],
});

const exportedImages: Policy = {
  name: 'gantry-exported-images',
  on: [{ groups: [GROUP], resources: ['images'], operations: ['CREATE'] }],
  rules: [
    [
      `!has(object.spec.fromInstance) || (object.spec.source.startsWith('${REGISTRY}/' + request.namespace + '/') && !object.spec.source.matches('([.](root|home|log):|@)'))`,
      sentenceOf(POLICY_WORDS.exportedTo, { namespace: 'request.namespace' }),
    ],
  ],
};

const officialImages: Policy = {
  name: 'gantry-official-images',
  on: [{ groups: [GROUP], resources: ['images'], operations: ['CREATE', 'UPDATE'] }],
  rules: [
    [
      `!object.spec.?official.orValue(false) || request.namespace == '${PLATFORM_NAMESPACE}'`,
      'spec.official: only platform staff offer official images',
    ],
  ],
};

/** The executor of a Snapshot reads containers and writes to the registry: neither may be another tenant's. */
const snapshots: Policy = {
  name: 'gantry-snapshots',
  on: [{ groups: [GROUP], resources: ['snapshots'], operations: ['CREATE'] }],
  rules: [
    [
      "[object.spec.target, object.spec.?from.orValue(object.spec.target)].all(image, image.split('/')[1] == request.namespace)",
      "='spec.target and spec.from: only images of ' + request.namespace + '/… may be saved here'",
    ],
  ],
};
