// Which phases of which kinds have failed, as policies on failures count them.
import { alertPolicy } from '@gantry/contract/kinds/alert-policy.ts';
import { containerService } from '@gantry/contract/kinds/container-service.ts';
import { dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { expect, test } from '@jest/globals';
import { kindObject } from '../../core/kinds/testing/memory-kinds.ts';
import { objectSamples } from './open.ts';

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
