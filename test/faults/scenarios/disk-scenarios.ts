// The life of a DataDisk to crash in: made, mounted, grown, its files served, deleted under the eyes of billing.
import { API_VERSION } from '@gantry/contract/define-kind.ts';
import type { DataDisk, DataDiskStatus } from '@gantry/contract/kinds/data-disk.ts';
import { ANNOTATION, FINALIZER } from '@gantry/contract/names.ts';
import type { Scenario } from '../crash-scenarios.ts';
import { normalState } from '../normal-state.ts';
import { waitUntil } from '../wait-until.ts';
import type { Arena } from './arena.ts';
import { noSecondCreate } from './invariants.ts';

const PATIENCE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Fields that differ between runs: the cluster's names, and measurements of a node's agent. */
const OTHERS = ['volumeName', 'claimUID', 'subjectUID', 'address', 'node', 'usage', 'from', 'to'];

/** Settled, each of them: on the way there others are as fast or as slow as they like. */
interface Reached {
  served?: DataDiskStatus;
  released?: Pick<DataDiskStatus, 'phase' | 'reason' | 'intervals'>;
}

export function diskScenario(arena: () => Arena, namespace: () => string): Scenario {
  const disks = () => `/apis/${API_VERSION}/namespaces/${namespace()}/datadisks`;
  const core = () => `/api/v1/namespaces/${namespace()}`;
  const reached = new Map<string, Reached>();

  const becomes = async (place: string, what: string, is: (disk: DataDisk) => boolean): Promise<DataDiskStatus> => {
    let last: DataDisk | undefined;
    const look = async () => {
      last = await arena().get<DataDisk>(`${disks()}/${place}`);
      const knows = last?.status?.observedGeneration === last?.metadata.generation;
      return last && knows && is(last);
    };
    const context = () => JSON.stringify(last?.status);
    await waitUntil(`${place} is ${what}`, look, { limitMs: PATIENCE_MS, everyMs: 100, context });
    return last?.status ?? {};
  };
  const says = (type: string, status: string) => (disk: DataDisk) =>
    disk.status?.conditions?.some((one) => one.type === type && one.status === status) ?? false;

  return {
    name: 'disk',
    run: async (place) => {
      const path = `${disks()}/${place}`;
      const holder = `${core()}/pods/${place}-holder`;
      reached.delete(place);
      await arena().call({ method: 'POST', path: disks(), body: desired(place) });
      await becomes(place, 'there', ({ status }) => status?.reason === 'WaitsForMount');
      await arena().call({ method: 'POST', path: `${core()}/pods`, body: holderOf(place) });
      await becomes(place, 'bound', ({ status }) => status?.sizeGi === 1);
      await arena().patch(path, { spec: { sizeGi: 2 } });
      await becomes(place, 'larger', ({ status }) => status?.sizeGi === 2);
      await arena().call({ method: 'DELETE', path: `${holder}?gracePeriodSeconds=0` });
      await waitUntil(`${place}-holder is gone`, async () => !(await arena().get(holder)), { limitMs: PATIENCE_MS });

      await arena().patch(path, { spec: { files: { until: new Date(Date.now() + DAY_MS / 2).toISOString() } } });
      const served = await becomes(place, 'served', says('FilesAvailable', 'True'));
      reached.set(place, { served });
      await arena().patch(path, { metadata: { annotations: { [ANNOTATION.confirmDelete]: place } } });
      await arena().call({ method: 'DELETE', path });
      const { phase, reason, intervals } = await becomes(
        place,
        'released',
        ({ status }) => status?.reason === 'Released',
      );
      reached.set(place, { served, released: { phase, reason, intervals } });
      await arena().patch(path, { metadata: { finalizers: [] } });
    },
    isAbout: ({ name, namespace: where, resource }, place) =>
      where === namespace() && name.startsWith(place) && resource !== 'events',
    read: async (place) => ({
      reached: normalState(withoutMeasures(reached.get(place)), place, OTHERS),
      left: await Promise.all(
        [`${disks()}/${place}`, `${core()}/persistentvolumeclaims/${place}-disk`, `${core()}/pods/${place}-files`].map(
          (path) => arena().get(path),
        ),
      ),
    }),
    invariants: {
      'nothing is made twice': ({ writes }) => noSecondCreate(writes),
      'each size is billed once, from the last one on, until the claim is gone': ({ place }) => {
        const intervals = reached.get(place)?.released?.intervals ?? [];
        const [small, large, ...more] = intervals;
        const sizes = intervals.map(({ uses }) => uses[0]?.quantity);
        const follows = small?.to !== undefined && small.to === large?.from && large.to !== undefined;
        if (more.length > 0 || sizes.join() !== '1,2' || !follows) throw new Error(JSON.stringify(intervals));
      },
    },
  };
}

/** Sentences contain a node's name, and measurements move with the one who measures. */
const withoutMeasures = ({ served, released }: Reached = {}) => ({
  served: {
    ...served,
    conditions: served?.conditions
      ?.filter(({ type }) => type !== 'SizeEnforced')
      .map(({ type, status, reason }) => ({ type, status, reason })),
  },
  released,
});

const desired = (name: string) => ({
  apiVersion: API_VERSION,
  kind: 'DataDisk',
  // As billing would, which posts the last use before the disk may go.
  metadata: { name, finalizers: [FINALIZER.billing] },
  spec: { sizeGi: 1 },
});

/** On a simulated node, where a volume is an object without contents. */
const holderOf = (place: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `${place}-holder` },
  spec: {
    terminationGracePeriodSeconds: 0,
    tolerations: [{ key: 'kwok.x-k8s.io/node', operator: 'Exists' }],
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'type', operator: 'In', values: ['kwok'] }] }],
        },
      },
    },
    containers: [{ name: 'main', image: 'a/b:1', volumeMounts: [{ name: 'disk', mountPath: '/data' }] }],
    volumes: [{ name: 'disk', persistentVolumeClaim: { claimName: `${place}-disk` } }],
  },
});
