// Which phases of which kinds have failed, as policies on failures count them.
import { containerService } from '@gantry/contract/kinds/container-service.ts';
import { dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { expect, test } from '@jest/globals';
import { kindObject } from '../kube/testing/memory-kinds.ts';
import { failedOf } from './open-alerts.ts';

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
  const phases = [...failed, ...others];
  const counted = phases.filter((phase) => failedOf(facts, kindObject(facts, 'one', { status: { phase } })) === 1);
  expect(counted).toEqual(failed);
  expect(failedOf(facts, kindObject(facts, 'new'))).toBe(0);
});
