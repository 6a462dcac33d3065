// Lives of GpuInstances whose work is saved, to crash in: stopped and resumed, hibernated and restored. The node is a
// simulated one with an agent, and the home's volume is tied to it.
import type { GpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import type { Snapshot } from '@gantry/contract/kinds/snapshot.ts';
import { LABEL } from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import type { Scenario } from '../crash-scenarios.ts';
import type { Arena } from './arena.ts';
import { type Instance, SMALL } from './instance.ts';
import { instanceScenario, type Life } from './instance-scenarios.ts';
import type { SimulatedAgent } from './simulated-agent.ts';
import type { Sighting } from './witness.ts';

const PATIENCE_MS = 60_000;

export function savedScenarios(
  arena: () => Arena,
  namespace: () => string,
  agent: () => SimulatedAgent,
): readonly Scenario[] {
  const runs = async (instance: Instance) => {
    await instance.create({ gpu: { ...SMALL.gpu, model: agent().node } });
    await instance.reaches('running');
  };
  const ends = async (instance: Instance) => {
    await instance.wish({ power: 'ShutDown' });
    await instance.becomes('shut down and saved', isSavedAt('shutDown'));
  };
  const lives: readonly Life[] = [
    {
      name: 'saved',
      run: async (instance) => {
        await runs(instance);
        await instance.wish({ power: 'Stopped' });
        await instance.becomes('stopped and saved', isSavedAt('stopped'));
        await instance.wish({ power: 'Running' });
        await instance.reaches('running');
        await ends(instance);
      },
    },
    {
      name: 'hibernated',
      run: async (instance) => {
        await runs(instance);
        await instance.wish({ power: 'Hibernated' });
        await instance.becomes('hibernated', ({ status }) => status?.phase === 'shutDown' && status.home !== undefined);
        await instance.wish({ power: 'Running' });
        await instance.becomes('restored', ({ status }) => status?.phase === 'running' && status.home === undefined);
        await ends(instance);
      },
      isMadeAnew: ({ resource, name }) => resource === 'persistentvolumeclaims' && name.endsWith('-home'),
    },
  ];
  return lives.map((life) =>
    instanceScenario(
      {
        ...life,
        afterwards: async (instance) => {
          await agent().snapshots.until(
            () => `the Snapshots of ${instance.name} are gone`,
            () => agent().snapshots.present(isOf(instance)).length === 0,
            PATIENCE_MS,
          );
        },
        invariants: Object.fromEntries(
          Object.entries(KEPT).map(([sentence, check]) => [sentence, (instance) => check(storyOf(instance, agent()))]),
        ),
      },
      arena,
      namespace,
    ),
  );
}

/** The latest run's root is the recorded one. */
const isSavedAt =
  (phase: string) =>
  ({ status }: GpuInstance): boolean =>
    status?.phase === phase && status.root?.seq === status.run?.seq;

const isOf =
  ({ namespace, name }: Instance) =>
  ({ metadata, spec }: Snapshot): boolean =>
    metadata.namespace === namespace && spec.instance === name;

/** Everything that was seen of one instance; etcd's revisions give the order. */
interface Story {
  readonly history: readonly GpuInstance[];
  readonly runs: readonly Sighting<Pod>[];
  readonly snapshots: readonly Sighting<Snapshot>[];
  /** Revisions at which its home's claim went. */
  readonly homesGone: readonly number[];
  readonly failures: readonly string[];
}

function storyOf(instance: Instance, agent: SimulatedAgent): Story {
  const { namespace, name } = instance;
  const homes = agent.claims.sightings(
    ({ metadata }) => metadata.namespace === namespace && metadata.name === `${name}-home`,
  );
  return {
    history: instance.history.map(({ object }) => object),
    runs: instance.pods.filter(({ object }) => object.metadata.labels?.[LABEL.run] !== undefined),
    snapshots: agent.snapshots.sightings(isOf(instance)),
    homesGone: homes.filter(({ isGone }) => isGone).map(({ object }) => revisionOf(object)),
    failures: agent.failures,
  };
}

type Versioned = { readonly metadata: { readonly resourceVersion?: string } };
const revisionOf = ({ metadata }: Versioned): number => Number(metadata.resourceVersion);
const runOf = ({ metadata }: Pod | Snapshot): number => Number(metadata.labels?.[LABEL.run]);
/** As the instance was right before a revision. */
const before = (revision: number, { history }: Story): GpuInstance | undefined =>
  history.findLast((one) => revisionOf(one) < revision);
const isReleased = (one: GpuInstance | undefined): boolean => one?.metadata.deletionTimestamp !== undefined;
const hasRun = ({ status }: Pod): boolean => status?.containerStatuses?.[0]?.state?.running !== undefined;

/** Keyed by the sentence that holds; each throws when it does not. */
const KEPT: Readonly<Record<string, (story: Story) => void>> = {
  'the agent could answer whatever it was asked': ({ failures, snapshots }) => {
    const failed = snapshots.find(({ object }) => object.status?.phase === 'failed');
    if (failures.length > 0 || failed) throw new Error([...failures, failed?.object.metadata.name].join('; '));
  },
  'each container that ran is saved once, and each home': ({ runs, snapshots, homesGone }) => {
    const asked = [...Map.groupBy(snapshots, ({ object }) => object.metadata.uid).values()].map(
      ([first]) => first?.object.spec,
    );
    const roots = asked.flatMap((spec) => (spec?.of === 'Root' ? [spec.podUID] : []));
    const ran = new Set(runs.filter(({ object }) => hasRun(object)).map(({ object }) => object.metadata.uid));
    if (roots.length !== ran.size || roots.some((uid) => !ran.has(uid)))
      throw new Error(`${ran.size} containers ran, Snapshots of ${roots.join()}`);
    // The last one goes with the instance.
    const homes = asked.length - roots.length;
    if (homes !== homesGone.length - 1)
      throw new Error(`${homes} saves of a home, which went ${homesGone.length} times`);
  },
  'the root of the last save is kept': ({ history }) => {
    history.reduce((known, { status }) => {
      const seq = status?.root?.seq ?? 0;
      if (seq < known) throw new Error(`root ${seq} after root ${known}`);
      return seq;
    }, 0);
  },
  'a Pod goes only once its root is recorded, and its Snapshot only for a newer one': (story) => {
    const needs = (one: Pod | Snapshot, least: number) => {
      const then = before(revisionOf(one), story);
      if (!isReleased(then) && (then?.status?.root?.seq ?? 0) < least)
        throw new Error(`${one.metadata.name} went while the root was ${then?.status?.root?.seq}`);
    };
    for (const { object, isGone } of story.runs) if (isGone && runOf(object) > 0) needs(object, runOf(object));
    for (const { object, isGone } of story.snapshots)
      if (isGone && object.spec.of === 'Root') needs(object, runOf(object) + 1);
  },
  'each run begins with the root of the one before': (story) => {
    for (const [, [first]] of Map.groupBy(story.runs, ({ object }) => object.metadata.name)) {
      if (!first) continue;
      const then = before(revisionOf(first.object), story);
      const wanted = then?.status?.root?.image ?? then?.spec.image;
      const { image } = first.object.spec?.containers[0] ?? {};
      // An image that is offered is pinned to its digest, once that is known.
      const isWanted = image === wanted || image?.startsWith(`${wanted}@sha256:`);
      if (!isWanted) throw new Error(`${first.object.metadata.name} has ${image}, not ${wanted}`);
    }
  },
  'a home goes only once it is recorded, and its record once a container ran on its copy': (story) => {
    for (const revision of story.homesGone) {
      const then = before(revision, story);
      if (!isReleased(then) && !then?.status?.home) throw new Error(`it went at ${revision}, and no copy was recorded`);
    }
    story.history.forEach((one, index) => {
      const home = story.history[index - 1]?.status?.home;
      if (!home || one.status?.home) return;
      const ran = story.runs.some(
        ({ object }) => runOf(object) > home.seq && hasRun(object) && revisionOf(object) < revisionOf(one),
      );
      if (!ran) throw new Error('it was forgotten before a container ran on its copy');
    });
  },
};
