// Checks beside each other: one that throws or never ends stops no other, and nothing stays behind.
import type { CheckResult } from '@gantry/contract/doctor.ts';
import { LABEL } from '@gantry/contract/names.ts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Check, found } from './check.ts';
import { runChecks } from './run-checks.ts';
import { ImpatientClock, PlayedCluster } from './testing/played-cluster.ts';
import { POD, throwAwayPod } from './throw-aways.ts';

let cluster: PlayedCluster;
let clock: ImpatientClock;
beforeEach(async () => {
  cluster = await PlayedCluster.start();
  clock = new ImpatientClock();
});
afterEach(() => cluster.close());

const check = (id: Check['id'], look: Check['look'], more: Partial<Check> = {}): Check => ({
  id,
  limitMs: 60_000,
  look,
  ...more,
});
const well = check('kubernetesVersion', async () => [found('versionFits', { version: 'v1' })]);
const makesPod = (name: string) => throwAwayPod({ name, image: 'busybox', script: 'true' });

function run(checks: Check[], { isInstalled = true, signal = new AbortController().signal } = {}) {
  const heard: CheckResult[] = [];
  const results = runChecks(
    { client: cluster.client, clock, probeImage: 'busybox', isInstalled },
    { checks, run: 'r1', signal, onResult: (result) => void heard.push(result) },
  );
  return { results, heard };
}
const reasonsOf = (results: readonly CheckResult[]) =>
  results.map(({ check: id, found: all }) => `${id}: ${all.map(({ reason }) => reason).join()}`);

test('a check that throws could not tell, with the reason, and the others have their results', async () => {
  const throws = check('mail', () => {
    throw new Error('  all\nbroken ');
  });
  const { results } = run([throws, well]);
  const [broken] = await results;
  expect(reasonsOf(await results)).toEqual(['mail: failed', 'kubernetesVersion: versionFits', 'tidiness: tidied']);
  expect(broken).toMatchObject({ finding: 'unknown', found: [{ args: { why: 'all broken' } }] });
});

test('a check that never ends is given up at its limit, and what it made goes', async () => {
  let isMade = () => {};
  const made = new Promise<void>((resolve) => {
    isMade = resolve;
  });
  const stuck = check('networkPolicies', async ({ throwAways }, signal) => {
    await throwAways.make(POD, makesPod('stuck'));
    isMade();
    await throwAways.whenPod('stuck', () => false, signal);
    return [];
  });
  const { results, heard } = run([stuck, well]);
  await made;
  expect(cluster.left).toEqual(['Pod stuck']);
  clock.passLimits();
  expect(reasonsOf(await results)).toEqual([
    'networkPolicies: tookTooLong',
    'kubernetesVersion: versionFits',
    'tidiness: tidied',
  ]);
  expect(reasonsOf(heard)[0]).toBe('kubernetesVersion: versionFits');
  expect(cluster.left).toEqual([]);
});

test('a run that is called off says so in every open check, and tidies up', async () => {
  const ender = new AbortController();
  const stuck = check('networkPolicies', async ({ throwAways }, signal) => {
    await throwAways.make(POD, makesPod('stuck'));
    ender.abort();
    await throwAways.whenPod('stuck', () => false, signal);
    return [];
  });
  const { results } = run([stuck], { signal: ender.signal });
  expect(reasonsOf(await results)).toEqual(['networkPolicies: calledOff', 'tidiness: tidied']);
  expect(cluster.left).toEqual([]);
});

test('nothing is made once a run is over', async () => {
  let late: Promise<unknown> = Promise.resolve();
  const makes = check('networkPolicies', async ({ throwAways }) => {
    await throwAways.make(POD, makesPod('first'));
    late = new Promise((resolve) => setTimeout(resolve, 50)).then(() => throwAways.make(POD, makesPod('late')));
    late.catch(() => undefined);
    return [found('networkEnforced')];
  });
  await run([makes]).results;
  await expect(late).rejects.toThrow('the checks are over');
  expect([cluster.made, cluster.left]).toEqual([['Pod first'], []]);
});

test('what an earlier run left long ago goes too; what another run has made just now stays', async () => {
  const left = (name: string, creationTimestamp: string, run: string) =>
    cluster.keep('pods', {
      ...makesPod(name),
      metadata: { name, namespace: 'gantry-doctor', uid: name, creationTimestamp, labels: { [LABEL.run]: run } },
    });
  left('dead', '2025-12-31T20:00:00Z', 'r0');
  left('beside', '2026-01-01T00:00:09Z', 'r2');
  const makes = check('networkPolicies', async ({ throwAways }) => {
    await throwAways.make(POD, makesPod('own'));
    return [found('networkEnforced')];
  });
  await run([makes]).results;
  expect(cluster.left).toEqual(['Pod beside']);
});

test('what will not go is named', async () => {
  cluster.isTidy = false;
  const makes = check('networkPolicies', async ({ throwAways }) => {
    await throwAways.make(POD, makesPod('sticky'));
    return [found('networkEnforced')];
  });
  const [, tidied] = await run([makes]).results;
  expect(tidied).toMatchObject({
    finding: 'warning',
    found: [{ reason: 'leftBehind', args: { names: 'Pod sticky' } }],
  });
});

test('before an install what needs the platform is left out, and the namespace of the trials comes and goes', async () => {
  const needs = check('kinds', async () => [found('kindsServed')], { needsPlatform: true });
  const makes = check('networkPolicies', async ({ throwAways }) => {
    await throwAways.make(POD, makesPod('a'));
    return [found('networkEnforced')];
  });
  const { results } = run([needs, makes], { isInstalled: false });
  expect(reasonsOf(await results)).toEqual([
    'kinds: needsPlatform',
    'networkPolicies: networkEnforced',
    'tidiness: tidied',
  ]);
  expect([cluster.made, cluster.left]).toEqual([['Namespace gantry-doctor', 'Pod a'], []]);
});

test('a namespace that the platform installed stays, even if the checks believe that nothing is installed', async () => {
  cluster.keep('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'gantry-doctor', uid: 'u' } });
  cluster.answers.set('/api/v1/namespaces/gantry-doctor/serviceaccounts/default', { metadata: { name: 'default' } });
  const makes = check('networkPolicies', async ({ throwAways }) => {
    await throwAways.make(POD, makesPod('a'));
    return [found('networkEnforced')];
  });
  await run([makes], { isInstalled: false }).results;
  expect(cluster.left).toContain('Namespace gantry-doctor');
});
