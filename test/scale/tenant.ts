// An organisation with enough quota, and a look at everything in its namespace.
import { API_VERSION, type KubeObject } from '@gantry/contract/define-kind.ts';
import type { Organization } from '@gantry/contract/kinds/organization.ts';
import { ANNOTATION, LABEL, organizationNamespace } from '@gantry/contract/names.ts';
import { eventually } from '../support/eventually.ts';
import type { Kubectl } from '../support/kubectl.ts';

const MINUTE = 60_000;
/** Kinds of objects that instances could leave behind. */
const HELD = ['gpuinstances', 'pods', 'persistentvolumeclaims'];

export interface Tenant {
  readonly namespace: string;
  /** How many of each kind there are; volumes count as long as they were claimed from here. */
  holds(): Promise<Readonly<Record<string, number>>>;
  /** Waits until nothing of it is left. */
  remove(): Promise<void>;
}

export async function makeTenant(
  { kubectl }: { readonly kubectl: Kubectl },
  name: string,
  quota: Partial<Organization['spec']['quota']>,
): Promise<Tenant> {
  const namespace = organizationNamespace(name);
  await kubectl.must(['apply', '-f', '-'], {
    apiVersion: API_VERSION,
    kind: 'Organization',
    metadata: { name },
    spec: { quota },
  });
  const list = async (...what: string[]) => (await kubectl.get<{ items: KubeObject[] }>(...what))?.items ?? [];
  // Until the probe of its network has ended, the operator writes for the organisation's sake.
  await eventually(
    `organisation ${name} is ready and its network tried out`,
    async () => {
      const { status } = (await kubectl.get<Organization>('organization', name)) ?? {};
      const isTriedOut = status?.phase === 'ready' && status.probedAt !== undefined;
      return (
        isTriedOut &&
        (await list('pods', '--all-namespaces', '--selector', `${LABEL.kind}=Organization,${LABEL.name}=${name}`))
          .length === 0
      );
    },
    4 * MINUTE,
  );
  await quotasCounted(kubectl, namespace);
  return {
    namespace,
    holds: async () => {
      const objects = [
        ...(await list(HELD.join(','), '--namespace', namespace)),
        ...(await list('persistentvolumes')).filter((volume) => claimedFrom(volume) === namespace),
      ];
      const counts: Record<string, number> = {};
      for (const { kind } of objects) counts[kind] = (counts[kind] ?? 0) + 1;
      return counts;
    },
    remove: async () => {
      await kubectl.must(['annotate', 'organization', name, `${ANNOTATION.confirmDelete}=${name}`, '--overwrite']);
      await kubectl.must(['delete', 'organization', name, '--timeout=240s']);
    },
  };
}

/** A cluster that has just learned of our kinds counts them up to a minute later, and refuses them until then. */
export const quotasCounted = (kubectl: Kubectl, namespace: string) =>
  eventually(
    `the quotas in ${namespace} are counted`,
    async () =>
      ((await kubectl.get<{ items: KubeObject[] }>('resourcequotas', '--namespace', namespace))?.items ?? []).every(
        isCounted,
      ),
    3 * MINUTE,
  );

const claimedFrom = (volume: KubeObject): string | undefined =>
  (volume as { spec?: { claimRef?: { namespace?: string } } }).spec?.claimRef?.namespace;

function isCounted(object: KubeObject): boolean {
  const { spec, status } = object as { spec?: { hard?: object }; status?: { used?: object } };
  const counted = Object.keys(status?.used ?? {});
  return Object.keys(spec?.hard ?? {}).every((name) => counted.includes(name));
}
