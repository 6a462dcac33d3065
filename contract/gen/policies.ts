// Rules that RBAC cannot express, as ValidatingAdmissionPolicies, each with the sentence that its refusal shows at `kubectl apply`. They
// run inside the API server, so they hold even if nothing of ours is up. `policies/` has them by family.
import { API_VERSION, type KindFacts } from '@gantry/contract/define-kind.ts';
import { agentPolicy, registryPolicy } from './policies/agents.ts';
import { outOfCredit } from './policies/credit.ts';
import { confirmedDelete, diskDelete, releaseOfInstances } from './policies/deletes.ts';
import { gatewayPolicies } from './policies/gateway.ts';
import { hostPolicies } from './policies/hosts.ts';
import { imagePolicies } from './policies/images.ts';
import {
  connections,
  deviceAnnotations,
  deviceVariables,
  instanceNames,
  managedSecrets,
  secretVariables,
} from './policies/members.ts';
import { objectPolicies } from './policies/objects.ts';
import { operatorPolicies } from './policies/operator.ts';
import type { Policy } from './policies/policy.ts';
import { scalePolicies } from './policies/scale.ts';
import { staffPolicies } from './policies/staff.ts';
import { scalable } from './scale.ts';

/** Every policy and its binding, as objects to apply. */
export function policyObjects(kinds: readonly KindFacts[]): object[] {
  return policiesFor(kinds).flatMap((policy) => [definition(policy), binding(policy)]);
}

const policiesFor = (kinds: readonly KindFacts[]): Policy[] => [
  ...objectPolicies(kinds),
  ...imagePolicies(kinds),
  releaseOfInstances,
  ...hostPolicies,
  ...outOfCredit(kinds),
  ...scalePolicies(scalable(kinds)),
  diskDelete,
  confirmedDelete,
  managedSecrets,
  secretVariables(kinds),
  deviceVariables(kinds),
  deviceAnnotations,
  instanceNames,
  connections,
  ...gatewayPolicies(kinds),
  ...staffPolicies(kinds),
  ...operatorPolicies,
  agentPolicy,
  registryPolicy,
];

const API = 'admissionregistration.k8s.io/v1';
const named = (expressions: Record<string, string> = {}) =>
  Object.entries(expressions).map(([name, expression]) => ({ name, expression }));

const definition = ({ name, on, when, params, variables, rules }: Policy) => ({
  apiVersion: API,
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name },
  spec: {
    failurePolicy: 'Fail',
    ...(params && { paramKind: { apiVersion: API_VERSION, kind: params.kind } }),
    matchConstraints: {
      resourceRules: on.map(({ groups, resources, operations }) => ({
        apiGroups: groups,
        apiVersions: ['*'],
        resources,
        operations,
      })),
    },
    ...(when && { matchConditions: named(when) }),
    ...(variables && { variables: named(variables) }),
    validations: rules.map(([expression, sentence]) => ({
      expression,
      ...(sentence.startsWith('=') ? { messageExpression: sentence.slice(1) } : { message: sentence }),
      reason: 'Forbidden',
    })),
  },
});

const binding = ({ name, params }: Policy) => ({
  apiVersion: API,
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name },
  spec: {
    policyName: name,
    validationActions: ['Deny'],
    ...(params && { paramRef: { selector: {}, parameterNotFoundAction: 'Allow' } }),
  },
});
