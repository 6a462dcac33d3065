// Fault 5: the API server dies, again and again; etcd stands still. Once it is back all becomes as it was wished.
import { beforeAll, test } from '@jest/globals';
import { startApiServer } from '../../../hack/control-plane.ts';
import { findProcess, stopProcess } from '../../../hack/process.ts';
import { isSoak } from '../../support/soak.ts';
import { waitUntil } from '../wait-until.ts';
import { setArena } from './arena.ts';
import { endsWell } from './end-of-life.ts';
import type { Instance } from './instance.ts';
import { allHold } from './invariants.ts';

/** For half of it the API server's own policies may refuse the operator: see `policiesAnswer`. */
const HEALED_WITHIN_MS = 90_000;
const MINUTE = 60_000;

const arena = setArena();
/** Lives through everything here, as it was. */
let bystander: Instance;
let pod = '';

beforeAll(async () => {
  bystander = arena().instance('bystander');
  await bystander.create();
  await bystander.reaches('running');
  pod = bystander.pod.metadata.uid ?? '';
});

function isUntouched(): void {
  if (bystander.pod.metadata.uid !== pod) throw new Error('a Pod was replaced that nobody touched');
  allHold(bystander);
}

/** SIGKILL at once, and back as soon as it can. */
async function killApiServer(): Promise<void> {
  await stopProcess(arena().cluster, 'kube-apiserver', 0);
  await startApiServer(arena().cluster);
}

/**
 * For half a minute after its start the API server may not find the kinds that policies use as parameters, and then refuses
 * (kubernetes/kubernetes#124237).
 */
const policiesAnswer = () =>
  waitUntil('the policies have found what they look at', () => wouldTake({ rebootCount: 99 }).then(() => true), {
    limitMs: MINUTE,
  });

const wouldTake = (spec: object) =>
  arena().call({
    method: 'PATCH',
    path: `${bystander.path}?dryRun=All`,
    contentType: 'application/merge-patch+json',
    body: { spec },
  });

async function signalEtcd(signal: NodeJS.Signals): Promise<void> {
  const running = await findProcess(arena().cluster, 'etcd');
  if (!running) throw new Error('etcd does not run');
  process.kill(running.pid, signal);
}

const ROUNDS = isSoak ? 30 : 3;

test(
  `the API server is killed ${ROUNDS} times, each time in the middle of something`,
  async () => {
    const instance = arena().instance('unlucky');
    const { proxy } = arena();
    for (let round = 1; round <= ROUNDS; round++) {
      const before = proxy.writes().length;
      if (round === 1) await instance.create();
      else await instance.wish({ rebootCount: round - 1 });
      await proxy.waitFor(({ writes }) => writes().length > before, MINUTE);
      await killApiServer();
      await instance.becomes(
        `running after death ${round}`,
        ({ status }) => status?.phase === 'running',
        HEALED_WITHIN_MS,
      );
      isUntouched();
      await policiesAnswer();
    }
    await endsWell(instance, arena());
  },
  isSoak ? 15 * MINUTE : undefined,
);

const PAUSE_MS = isSoak ? 30_000 : 8_000;

test(`etcd stands still for ${PAUSE_MS / 1000} s`, async () => {
  const instance = arena().instance('patient');
  await instance.create();
  await instance.reaches('running');
  let wished: Promise<void>;
  await signalEtcd('SIGSTOP');
  try {
    const since = performance.now();
    // Answered by the time-out of a store that says nothing, or once it speaks again.
    wished = wishUntilHeard(instance);
    await waitUntil('the pause is over', () => performance.now() - since > PAUSE_MS, {
      limitMs: 2 * PAUSE_MS,
      everyMs: 200,
    });
  } finally {
    await signalEtcd('SIGCONT');
  }
  await wished;
  await instance.reaches('stopped', HEALED_WITHIN_MS);
  isUntouched();
  await endsWell(instance, arena());
});

test('who asked for nothing has noticed nothing', async () => {
  isUntouched();
  await endsWell(bystander, arena());
});

const wishUntilHeard = (instance: Instance): Promise<void> =>
  waitUntil('the wish is heard', () => instance.wish({ power: 'Stopped' }).then(() => true), {
    limitMs: 2 * MINUTE,
  }).then(() => undefined);
