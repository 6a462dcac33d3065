// The shape of a policy, and the parts of expressions that several families share.
import { GAP, GROUP, type KindFacts, type Words } from '@gantry/contract/define-kind.ts';
import { ANNOTATION, LABEL, PLATFORM_NAMESPACE, VARIABLES_LETTER, variablesEnd } from '@gantry/contract/names.ts';

type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

export interface Policy {
  name: string;
  on: { groups: string[]; resources: string[]; operations: Operation[] }[];
  /** All must hold for the policy to be asked at all. They see the request, never the namespace. */
  when?: Record<string, string>;
  variables?: Record<string, string>;
  /**
   * Objects of this kind in the request's own namespace are evaluated one by one, as `params`; without any, the policy does not
   * apply.
   */
  params?: KindFacts | undefined;
  /** `[condition, sentence]`; a sentence that is itself an expression starts with `=`. */
  rules: [holds: string, sentence: string][];
}

export const kindsOn = (kinds: readonly KindFacts[], ...operations: Operation[]) => ({
  groups: [GROUP],
  resources: kinds.map(({ plural }) => plural),
  operations,
});
/** Changes of its number of replicas alone, as an autoscaling/v1 Scale. */
export const scaleOf = ({ plural }: KindFacts): Policy['on'][number] => ({
  groups: [GROUP],
  resources: [`${plural}/scale`],
  operations: ['UPDATE'],
});
/** A Scale leaves out a 0. */
export const scaledTo = (scale: 'object' | 'oldObject'): string => `${scale}.?spec.?replicas.orValue(0)`;
export const coreOn = (resources: string[], ...operations: Operation[]) => ({ groups: [''], resources, operations });

export const ofTenants = { tenants: "request.userInfo.username.startsWith('system:serviceaccount:org-')" };
export const ofAccount = (name: string) => ({
  [name.replace('gantry-', '')]: `request.userInfo.username == 'system:serviceaccount:${PLATFORM_NAMESPACE}:${name}'`,
});
export const inOrganization = `('${LABEL.organization}' in namespaceObject.metadata.?labels.orValue({}))`;
/** Why the organisation may spend nothing; '' if it may. */
export const closedWhy = `namespaceObject.metadata.?annotations[?'${ANNOTATION.outOfCredit}'].orValue('')`;
export const annotatedWithName = (annotation: string) =>
  `oldObject.metadata.?annotations[?'${annotation}'].orValue('') == oldObject.metadata.name`;

/** Whether the Secret with this name was made for the variables of an object of that kind and name; all three are expressions. */
export const isVariablesOf = (kind: string, name: string, secret: string): string =>
  `(${secret}.startsWith(${name}) && (${Object.entries(VARIABLES_LETTER)
    .map(
      ([of, letter]) => `(${kind} == '${of}' && ${secret}.substring(size(${name})).matches('${variablesEnd(letter)}'))`,
    )
    .join(' || ')}))`;

/** The bytes of a map of texts, including its keys. */
export const bytesOf = (map: string): string => `${map}.map(key, size(key) + size(${map}[key])).sum()`;

/** A rule's sentence; its gaps are filled with expressions. */
export function sentenceOf({ en }: Words, args?: Readonly<Record<string, string>>): string {
  if (!args) return en;
  const filled = en.replaceAll(GAP, (_, name: string) => `' + ${args[name]} + '`);
  return `='${filled}'`.replaceAll("' + '", '').replace(/ \+ ''$/, '');
}
