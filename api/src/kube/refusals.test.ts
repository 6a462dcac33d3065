// Refusals by one of our rules or policies are in the caller's language.
import { type Problem, problemSentence } from '@gantry/contract/http/problem.ts';
import { argsInLanguage } from '@gantry/contract/in-language.ts';
import { ApiError } from '@gantry/kube/api-error.ts';
import { expect, test } from '@jest/globals';
import { problemOf } from './refusals.ts';

const denied = (policy: string, sentence: string) =>
  new ApiError(403, {
    message: `datadisks "data" is forbidden: ValidatingAdmissionPolicy '${policy}' with binding '${policy}' denied request: ${sentence}`,
  });
const invalid = (field: string, message: string) =>
  new ApiError(422, { message: 'invalid', details: { causes: [{ field, message }] } });

test.each([
  [
    'a rule of the CRD',
    invalid('spec.homeDisk', 'Invalid value: "object": homeDisk.sizeGi can only grow'),
    'homeDisk',
    'homeDisk：homeDisk.sizeGi 只能增大',
  ],
  [
    'a policy',
    denied(
      'gantry-disk-delete',
      'The disk is mounted by or reserved for dev, lab. Unmount it first, or shut down whoever has it.',
    ),
    undefined,
    '磁盘已由 dev, lab 挂载或预留。请先卸载，或将使用者关机。',
  ],
  [
    'a policy about a field',
    denied(
      'gantry-own-images-images',
      'spec.source: of registry.gantry.internal only org-a/… and official/… are yours to use',
    ),
    'source',
    'spec.source：registry.gantry.internal 中您只能使用 org-a/… 和 official/…',
  ],
  [
    'a policy that says what billing said',
    denied(
      'gantry-out-of-credit-datadisks',
      'Nothing that costs can be begun, while stopping and deleting stay possible. needs 12.40 USD for the next 2 hours, 3.10 USD available',
    ),
    undefined,
    '目前不能开始任何收费操作，停止和删除仍可进行。接下来 2 小时需要 12.40 USD，可用 3.10 USD',
  ],
])('%s', (_, error, field, told) => {
  const fault = problemOf(error, { id: 'data', language: 'zh' }) as Problem;
  expect(fault.field).toBe(field);
  expect(problemSentence(fault.problem, 'zh', argsInLanguage(fault.args, 'zh'))).toContain(told);
});

test('a policy that can not be asked yet, after a start of the API server, is waited for', () => {
  const message =
    "gpuinstances.gantry.dev \"dev\" is forbidden: ValidatingAdmissionPolicy 'gantry-instances-on-hosts' denied request: failed to configure policy: failed to find resource referenced by paramKind: 'gantry.dev/v1alpha1, Kind=GpuHost'";
  const fault = problemOf(new ApiError(422, { message, reason: 'Invalid' }), { id: 'dev', language: 'en' });
  expect(fault).toMatchObject({ problem: 'unavailable', retryAfterSeconds: expect.any(Number) });
});
