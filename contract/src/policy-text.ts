// The decision of a policy and its binding, as one text: the installed and the generated ones are compared by it, however the API server
// fills in the rest.

interface Named {
  readonly name: string;
  readonly expression: string;
}
interface Selected {
  readonly resourceRules?: readonly {
    readonly apiGroups?: readonly string[];
    readonly apiVersions?: readonly string[];
    readonly resources?: readonly string[];
    readonly operations?: readonly string[];
    readonly resourceNames?: readonly string[];
  }[];
  readonly excludeResourceRules?: readonly unknown[];
  readonly namespaceSelector?: object;
  readonly objectSelector?: object;
}

export interface PolicyDefinition {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly failurePolicy?: string;
    readonly paramKind?: { readonly apiVersion?: string; readonly kind?: string };
    readonly matchConstraints?: Selected;
    readonly matchConditions?: readonly Named[];
    readonly variables?: readonly Named[];
    readonly validations?: readonly { readonly expression: string }[];
  };
}

export interface PolicyBinding {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly policyName?: string;
    readonly validationActions?: readonly string[];
    readonly paramRef?: { readonly parameterNotFoundAction?: string };
    readonly matchResources?: Selected;
  };
}

export const policyText = ({ spec: policy }: PolicyDefinition, { spec: binding }: PolicyBinding): string =>
  JSON.stringify([
    policy.failurePolicy ?? 'Fail',
    [policy.paramKind?.apiVersion, policy.paramKind?.kind],
    selectedText(policy.matchConstraints),
    (policy.matchConditions ?? []).map(pair),
    (policy.variables ?? []).map(pair),
    (policy.validations ?? []).map(({ expression }) => expression),
    binding.policyName,
    binding.validationActions ?? [],
    binding.paramRef?.parameterNotFoundAction,
    selectedText(binding.matchResources),
  ]);

const pair = ({ name, expression }: Named) => [name, expression];

const selectedText = ({
  resourceRules = [],
  excludeResourceRules = [],
  namespaceSelector = {},
  objectSelector = {},
}: Selected = {}) => [
  resourceRules.map(({ apiGroups, apiVersions, resources, operations, resourceNames = [] }) => [
    apiGroups,
    apiVersions,
    resources,
    operations,
    resourceNames,
  ]),
  excludeResourceRules,
  namespaceSelector,
  objectSelector,
];
