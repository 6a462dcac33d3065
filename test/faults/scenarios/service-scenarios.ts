// Lives of a ContainerService to crash in: made, scaled, updated and deleted while it serves; and stopped, started and restarted.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import type { ContainerService } from '@gantry/contract/kinds/container-service.ts';
import { servedChildName } from '@gantry/contract/names.ts';
import type { Scenario } from '../crash-scenarios.ts';
import type { Arena } from './arena.ts';
import type { Subjected } from './subject.ts';
import { type SubjectLife, subjectScenario } from './subject-scenario.ts';

/** All of a revision serve, and no other Pod is left in the books. */
export const serves =
  (replicas: number, revision: number) =>
  ({ status }: ContainerService): boolean =>
    status?.phase === 'active' &&
    status.revision === revision &&
    status.replicas?.ready === replicas &&
    status.pods?.length === replicas;

const LIVES: readonly SubjectLife<ContainerService>[] = [
  {
    name: 'service',
    run: async (one, arena) => {
      await one.becomes('active', serves(1, 1));
      await one.wish({ replicas: 2 });
      await one.becomes('of two replicas', serves(2, 1));
      await one.wish({ env: [{ name: 'MODEL', value: 'large' }] });
      await one.becomes('updated', serves(2, 2));
      return childrenOf(one, arena);
    },
  },
  {
    name: 'service-rest',
    run: async (one, arena) => {
      await one.becomes('active', serves(1, 1));
      await one.wish({ power: 'Stopped' });
      await one.becomes('stopped', ({ status }) => status?.phase === 'stopped' && status.pods?.length === 0);
      await one.wish({ power: 'Running', restartCount: 1 });
      await one.becomes('active again', serves(1, 2));
      await one.wish({ power: 'Stopped' });
      await one.becomes('stopped again', ({ status }) => status?.phase === 'stopped' && status.pods?.length === 0);
      return childrenOf(one, arena);
    },
  },
];

/** The fields of its Deployment and its Service. */
async function childrenOf({ namespace, name }: Subjected, arena: Arena): Promise<unknown> {
  const called = `namespaces/${namespace}`;
  const paths = [`/apis/apps/v1/${called}/deployments/`, `/api/v1/${called}/services/`];
  const found = paths.map((path) =>
    arena.get<KubeObject & { spec: object }>(`${path}${servedChildName(name, 'ContainerService')}`),
  );
  return (await Promise.all(found)).map((child) => child && { labels: child.metadata.labels, spec: child.spec });
}

export const serviceScenarios = (arena: () => Arena, namespace: () => string): readonly Scenario[] =>
  LIVES.map((life) => subjectScenario(life, arena, (place) => arena().service(place, namespace())));
