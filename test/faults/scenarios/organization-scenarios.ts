// The life of an Organization to crash in: made with members, its members changed, deleted with all it holds.
import { API_VERSION, type KubeObject } from '@gantry/contract/define-kind.ts';
import type { Organization } from '@gantry/contract/kinds/organization.ts';
import { organizationNamespace, PROBE_NAMESPACE } from '@gantry/contract/names.ts';
import type { Scenario } from '../crash-scenarios.ts';
import { normalState } from '../normal-state.ts';
import type { Arena } from './arena.ts';
import { noSecondCreate } from './invariants.ts';

const PATIENCE_MS = 60_000;

/** Objects that the operator maintains in an organisation's namespace. */
const KEPT = [
  'api/v1 serviceaccounts',
  'api/v1 resourcequotas',
  'api/v1 limitranges',
  'api/v1 services',
  'apis/rbac.authorization.k8s.io/v1 roles',
  'apis/rbac.authorization.k8s.io/v1 rolebindings',
  'apis/networking.k8s.io/v1 networkpolicies',
];

export function organizationScenario(arena: () => Arena): Scenario {
  const whole = new Map<string, unknown>();
  const path = (place: string) => `/apis/${API_VERSION}/organizations/${place}`;
  const now = (place: string): Organization | undefined => arena().organizations.now(undefined, place);

  const kept = async (place: string): Promise<readonly KubeObject[]> => {
    const lists = KEPT.map(async (one) => {
      const [root, plural] = one.split(' ');
      return arena().list<KubeObject>(`/${root}/namespaces/${organizationNamespace(place)}/${plural}`);
    });
    // Kubernetes creates a ServiceAccount of its own.
    return (await Promise.all(lists)).flat().filter(({ metadata }) => metadata.ownerReferences !== undefined);
  };

  return {
    name: 'organization',
    run: async (place) => {
      await arena().organization(place, {
        members: [
          { account: 'ada', role: 'owner' },
          { account: 'bob', role: 'member' },
        ],
      });
      await arena().patch(path(place), {
        spec: {
          members: [
            { account: 'ada', role: 'admin' },
            { account: 'eve', role: 'viewer' },
          ],
        },
      });
      const known = () => {
        const { metadata, status } = now(place) ?? {};
        return (
          status?.phase === 'ready' && status.observedGeneration === metadata?.generation && metadata?.generation !== 1
        );
      };
      await arena().organizations.until(
        () => `${place} knows its members; ${now(place)?.status?.message}`,
        known,
        PATIENCE_MS,
      );
      whole.set(place, normalState(await kept(place), place, ['secrets', 'status', 'clusterIP', 'clusterIPs']));
      await arena().removeOrganization(place);
    },
    isAbout: ({ name, namespace, resource }, place) =>
      resource !== 'events' &&
      (name === place ||
        name === organizationNamespace(place) ||
        namespace === organizationNamespace(place) ||
        (namespace === PROBE_NAMESPACE && name.startsWith(place))),
    read: async (place) => ({ whole: whole.get(place), left: await left(place) }),
    invariants: {
      'nothing is made twice': ({ writes }) => noSecondCreate(writes),
    },
  };

  async function left(place: string): Promise<readonly string[]> {
    const namespace = await arena().get(`/api/v1/namespaces/${organizationNamespace(place)}`);
    const probes = await arena().list(`/api/v1/namespaces/${PROBE_NAMESPACE}/pods`);
    return [
      ...(namespace ? [namespace.metadata.name] : []),
      ...probes.map(({ metadata }) => metadata.name).filter((name) => name.startsWith(place)),
    ];
  }
}
