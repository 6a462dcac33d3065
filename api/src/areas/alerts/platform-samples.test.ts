// Values that the platform knows without Prometheus: which phases of which kinds have failed, and how long credit lasts.
import { type Micros, micros } from '@gantry/contract/fields/money.ts';
import { alertPolicy } from '@gantry/contract/kinds/alert-policy.ts';
import { containerService } from '@gantry/contract/kinds/container-service.ts';
import { dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { expect, test } from '@jest/globals';
import { kindObject } from '../../core/kinds/testing/memory-kinds.ts';
import { objectSamples, platformSamples } from './platform-samples.ts';

test.each([
  ['host', gpuHost, ['expired', 'lost', 'notReady'], ['active', 'activeSync', 'draining', 'pending', 'releasing']],
  ['disk', dataDisk, ['inactive'], ['active', 'mounted', 'releasing']],
  [
    'instance',
    gpuInstance,
    ['createFailed', 'createTimeout', 'failed', 'lost_contact', 'networkTimeout'],
    ['running', 'stopped', 'update'],
  ],
  ['service', containerService, ['failed'], ['partialSuccess', 'sleeping', 'toString', '']],
] as const)('a %s has failed in the phases that are shown in red', (_, facts, failed, others) => {
  const objects = [...failed, ...others].map((phase) => kindObject(facts, phase, { status: { phase } }));
  const cache = { list: (kind: object) => (kind === facts ? [...objects, kindObject(facts, 'new')] : []) };
  const samples = objectSamples(cache as never, 'Failed', 'org-acme');
  expect(samples.map(({ value, object }) => [object?.name, value])).toEqual([
    ...failed.map((phase) => [phase, 1]),
    ...[...others, 'new'].map((phase) => [phase, 0]),
  ]);
});

test('a policy that alerts is no failure that one could alert on', () => {
  const policy = kindObject(alertPolicy, 'own', { status: { phase: 'alerting' } });
  const cache = { list: (kind: object) => (kind === alertPolicy ? [policy] : []) };
  expect(objectSamples(cache as never, 'Failed', 'org-acme')).toEqual([]);
});

test.each([
  ['lasts as long as it pays for what runs', 5_000_000n, 2_000_000n, [2.5]],
  ['that is overdrawn lasts no hour', -5_000_000n, 2_000_000n, [0]],
  ['that nothing uses has no hours to count', 5_000_000n, 0n, []],
])('credit %s', async (_, available, perHour, hours) => {
  const wallets = { balances: async (id: string) => ({ available: id === 'acme' ? available : -1n }) };
  const billing = { wallets, burnOf: (id: string): Micros => micros(id === 'acme' ? perHour : -1n) };
  const samples = await platformSamples({ cluster: { cache: {} as never }, billing }, 'CreditHours', ['org-acme']);
  expect(samples).toEqual(
    hours.map((value) => ({
      labels: { namespace: 'org-acme' },
      object: { kind: 'Organization', name: 'acme' },
      value,
    })),
  );
});
