// The API server itself: its version, our kinds, and the policies that hold tenants back.
import { createHash } from 'node:crypto';
import { API_VERSION, type KubeObject } from '@gantry/contract/define-kind.ts';
import { namesIn } from '@gantry/contract/doctor.ts';
import { INSTALLED_POLICIES } from '@gantry/contract/installed-policies.ts';
import { dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { DOCTOR_NAMESPACE } from '@gantry/contract/names.ts';
import { type PolicyBinding, type PolicyDefinition, policyText } from '@gantry/contract/policy-text.ts';
import { ApiError, isAbsent } from '@gantry/kube/api-error.ts';
import { LEAST_MINOR } from '@gantry/kube/check-cluster.ts';
import { type Resource, resourceOf } from '@gantry/kube/resource.ts';
import { type Check, type DoctorClient, found } from '../check.ts';

const SECOND = 1000;

export const kubernetesVersion: Check = {
  id: 'kubernetesVersion',
  limitMs: 15 * SECOND,
  async look({ client }) {
    const said = await client.raw<{ major: string; minor: string; gitVersion: string }>('/version');
    const isOld = Number(said.major) === 1 && Number.parseInt(said.minor, 10) < LEAST_MINOR;
    return [
      isOld
        ? found('versionOld', { version: said.gitVersion, least: `1.${LEAST_MINOR}` })
        : found('versionFits', { version: said.gitVersion }),
    ];
  },
};

export const kinds: Check = {
  id: 'kinds',
  limitMs: 15 * SECOND,
  needsPlatform: true,
  async look({ client }) {
    const served = await namesServed(client, `/apis/${API_VERSION}`);
    const all = Object.values(KINDS);
    const missing = all.filter(({ plural }) => !served.has(plural)).map(({ kind }) => kind);
    return [
      missing.length > 0
        ? found('kindsMissing', { names: namesIn(missing) })
        : found('kindsServed', { count: `${all.length}` }),
    ];
  },
};

const ADMISSION = 'admissionregistration.k8s.io/v1';
const admission = (plural: string, kind: string): Resource => ({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural,
  kind,
  namespaced: false,
});
const POLICY = admission('validatingadmissionpolicies', 'ValidatingAdmissionPolicy');
const BINDING = admission('validatingadmissionpolicybindings', 'ValidatingAdmissionPolicyBinding');

/** This policy forbids, for everybody, what the trial makes: an object outside of an organisation. */
const TRIED_POLICY = 'gantry-kinds-in-organizations';
const FORBIDDEN: KubeObject = {
  apiVersion: API_VERSION,
  kind: dataDisk.kind,
  metadata: { name: 'doctor', namespace: DOCTOR_NAMESPACE },
  spec: { sizeGi: 1 },
} as KubeObject;

export const admissionPolicies: Check = {
  id: 'admissionPolicies',
  limitMs: 30 * SECOND,
  async look({ client, isInstalled }) {
    const served = await namesServed(client, `/apis/${ADMISSION}`);
    if (!served.has(POLICY.plural) || !served.has(BINDING.plural)) return [found('policiesUnserved')];
    if (!isInstalled) return [found('policiesServed')];
    const [policies, bindings] = await Promise.all([client.list(POLICY, {}), client.list(BINDING, {})]);
    const faults = faultsOf(
      policies.items as (KubeObject & PolicyDefinition)[],
      bindings.items as (KubeObject & PolicyBinding)[],
    );
    const accepted = await isAccepted(client);
    return [
      ...faults,
      ...(accepted ? [found('forbiddenAccepted', { name: TRIED_POLICY })] : []),
      ...(faults.length === 0 && !accepted
        ? [found('policiesHold', { count: `${Object.keys(INSTALLED_POLICIES).length}` })]
        : []),
    ];
  },
};

function faultsOf(policies: readonly PolicyDefinition[], bindings: readonly PolicyBinding[]) {
  const lists = { policiesMissing: [] as string[], bindingsMissing: [] as string[], policiesDiffer: [] as string[] };
  for (const [name, digest] of Object.entries(INSTALLED_POLICIES)) {
    const policy = policies.find(({ metadata }) => metadata.name === name);
    const binding = bindings.find(({ metadata }) => metadata.name === name);
    if (!policy) lists.policiesMissing.push(name);
    else if (!binding) lists.bindingsMissing.push(name);
    else if (createHash('sha256').update(policyText(policy, binding)).digest('hex').slice(0, digest.length) !== digest)
      lists.policiesDiffer.push(name);
  }
  return (Object.entries(lists) as [keyof typeof lists, string[]][]).flatMap(([reason, names]) =>
    names.length > 0 ? [found(reason, { names: namesIn(names) })] : [],
  );
}

async function isAccepted(client: DoctorClient): Promise<boolean> {
  try {
    await client.create(resourceOf(dataDisk), FORBIDDEN, { dryRun: 'All' });
    return true;
  } catch (error) {
    // Whoever may not make one at all never meets the policy, and nor does an object that its schema refuses.
    if (error instanceof ApiError && error.code === 403 && error.message.includes(TRIED_POLICY)) return false;
    throw error;
  }
}

/** Empty where the group is not served. */
export async function namesServed(client: Pick<DoctorClient, 'raw'>, path: string): Promise<ReadonlySet<string>> {
  try {
    const { resources } = await client.raw<{ resources: { name: string }[] }>(path);
    return new Set(resources.map(({ name }) => name));
  } catch (error) {
    if (isAbsent(error)) return new Set();
    throw error;
  }
}
