// The life of a Job to crash in: queued, run in a real container, ended by a wish, its log saved, deleted.
import { API_VERSION, type KubeObject } from '@gantry/contract/define-kind.ts';
import type { Job, JobStatus } from '@gantry/contract/kinds/job.ts';
import { FINALIZER, LABEL } from '@gantry/contract/names.ts';
import type { Scenario } from '../crash-scenarios.ts';
import { normalState } from '../normal-state.ts';
import { waitUntil } from '../wait-until.ts';
import type { Arena } from './arena.ts';
import { noSecondCreate } from './invariants.ts';

const PATIENCE_MS = 60_000;
/** Fields that differ between runs: the cluster's names, moments, and how much of a log there is. */
const OTHERS = [
  'pod',
  'podUID',
  'podIP',
  'node',
  'subjectUID',
  'history',
  'conditions',
  'queue',
  'bytes',
  'from',
  'to',
];

export function jobScenario(arena: () => Arena, namespace: () => string): Scenario {
  const jobs = () => `/apis/${API_VERSION}/namespaces/${namespace()}/gpujobs`;
  const stopped = new Map<string, JobStatus>();

  const becomes = async (place: string, what: string, is: (status: JobStatus) => boolean): Promise<JobStatus> => {
    let last: Job | undefined;
    const look = async () => {
      last = await arena().get<Job>(`${jobs()}/${place}`);
      return (
        last?.status !== undefined && last.status.observedGeneration === last.metadata.generation && is(last.status)
      );
    };
    const context = () => JSON.stringify(last?.status);
    await waitUntil(`${place} is ${what}`, look, { limitMs: PATIENCE_MS, everyMs: 100, context });
    return last?.status ?? {};
  };
  const childrenOf = async (place: string): Promise<string[]> => {
    const chosen = `?labelSelector=${encodeURIComponent(`${LABEL.name}=${place}`)}`;
    const paths = [`/apis/batch/v1/namespaces/${namespace()}/jobs`, `/api/v1/namespaces/${namespace()}/pods`];
    const found = await Promise.all(paths.map((path) => arena().list<KubeObject>(`${path}${chosen}`)));
    return found.flat().map(({ metadata }) => metadata.name);
  };

  return {
    name: 'job',
    run: async (place) => {
      const path = `${jobs()}/${place}`;
      stopped.delete(place);
      await arena().call({ method: 'POST', path: jobs(), body: desired(place) });
      await becomes(place, 'running', ({ phase }) => phase === 'running');
      await arena().patch(path, { spec: { power: 'Stopped' } });
      const isKept = ({ phase, runs }: JobStatus) => phase === 'stopped' && runs?.[0]?.workers?.[0]?.log !== undefined;
      stopped.set(place, await becomes(place, 'stopped, its log kept', isKept));
      await arena().call({ method: 'DELETE', path });
      await becomes(place, 'released', ({ phase }) => phase === 'released');
      await arena().patch(path, { metadata: { finalizers: [] } });
    },
    isAbout: ({ name, namespace: where, resource }, place) =>
      where === namespace() && name.startsWith(place) && resource !== 'events',
    read: async (place) => ({
      stopped: normalState(stopped.get(place), place, OTHERS),
      left: [await arena().get(`${jobs()}/${place}`), ...(await childrenOf(place))].filter(Boolean),
    }),
    invariants: {
      'nothing is made twice': ({ writes }) => noSecondCreate(writes),
      'its one run is billed once, and to its end': ({ place }) => {
        const { run, intervals = [] } = stopped.get(place) ?? {};
        const [one, ...more] = intervals;
        const isWhole = one?.from === run?.startedAt && one?.to !== undefined && one.to === run?.endedAt;
        if (run?.seq !== 1 || more.length > 0 || !isWhole) throw new Error(JSON.stringify({ run, intervals }));
      },
    },
  };
}

const desired = (name: string) => ({
  apiVersion: API_VERSION,
  kind: 'Job',
  // As billing would, which posts the last use before the job may go.
  metadata: { name, finalizers: [FINALIZER.billing] },
  spec: {
    image: 'registry.gantry.internal/official/busybox:1.36',
    command: ['sh', '-c', 'echo ready; trap "exit 143" TERM; sleep 600 & wait'],
    cores: 0.1,
    memoryGi: 0.0625,
  },
});
