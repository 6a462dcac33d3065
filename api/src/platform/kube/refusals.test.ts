// Refusals by one of our rules or policies are in the caller's language.

import { CREDIT_SENTENCES } from '@gantry/contract/billing/credit-sentences.ts';
import { type Problem, problemSentence } from '@gantry/contract/http/problem.ts';
import { argsIn } from '@gantry/contract/localized.ts';
import { said } from '@gantry/contract/said.ts';
import { ApiError } from '@gantry/kube/api-error.ts';
import { expect, test } from '@jest/globals';
import { problemOf } from './refusals.ts';

const denied = (policy: string, sentence: string) =>
  new ApiError(403, {
    message: `datadisks "data" is forbidden: ValidatingAdmissionPolicy '${policy}' with binding '${policy}' denied request: ${sentence}`,
  });
const invalid = (field: string, message: string) =>
  new ApiError(422, { message: 'invalid', details: { causes: [{ field, message }] } });

const NEEDS = said(CREDIT_SENTENCES.needs, {
  wanted: '12.40',
  currency: 'USD',
  available: '3.10',
  what: said(CREDIT_SENTENCES.nextHours, { hours: '2' }),
});

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
      'The disk is mounted by or reserved for dev, lab. Unmount it first, or shut down the instance that uses it.',
    ),
    undefined,
    '磁盘已由 dev, lab 挂载或预留。请先卸载，或关闭使用它的实例。',
  ],
  [
    'a policy about a field',
    denied(
      'gantry-own-images-images',
      'spec.source: from registry.gantry.internal you can use only org-a/… and official/…',
    ),
    'source',
    'spec.source：registry.gantry.internal 中您只能使用 org-a/… 和 official/…',
  ],
  [
    'a policy that says what billing said',
    denied(
      'gantry-out-of-credit-datadisks',
      'You cannot start anything that costs money, but you can still stop and delete. needs $12.40 for the next 2 hours, $3.10 available',
    ),
    undefined,
    '目前不能启动任何收费的资源，但仍可停止和删除。接下来 2 小时需要 $12.40，可用 $3.10',
  ],
])('%s', (_, error, field, expected) => {
  const fault = problemOf(error, { id: 'data', language: 'zh', closed: () => NEEDS }) as Problem;
  expect(fault.field).toBe(field);
  expect(problemSentence(fault.problem, 'zh', argsIn('zh', fault.args))).toContain(expected);
});

test.each([
  [
    'a rule of a kind',
    'Invalid value: "object": sizeGi can only grow: a smaller disk would lose data',
    'sizeGi 只能增大',
  ],
  ['a rule with a number', 'Invalid value: 0.01: must be at least 0.1', '不能小于 0.1'],
  ['a rule of the API server', 'Invalid value: 0: should be greater than or equal to 1', 'should be greater than'],
])('%s is told in the language where it is ours', (_, message, expected) => {
  const fault = problemOf(invalid('spec.field', message), { id: 'data', language: 'zh' }) as Problem;
  expect(problemSentence(fault.problem, 'zh', argsIn('zh', fault.args))).toContain(expected);
});

test('without the words of billing a policy says them as the API server does', () => {
  const english = 'You cannot start anything that costs money, but you can still stop and delete. No money.';
  const fault = problemOf(denied('gantry-out-of-credit-images', english), { id: 'a', language: 'zh' }) as Problem;
  expect(problemSentence(fault.problem, 'zh', argsIn('zh', fault.args))).toBe(
    '目前不能启动任何收费的资源，但仍可停止和删除。No money.',
  );
  expect(problemSentence(fault.problem, 'en', argsIn('en', fault.args))).toBe(english);
});

test('a policy that cannot be asked yet, after a start of the API server, is waited for', () => {
  const message =
    "gpuinstances.gantry.dev \"dev\" is forbidden: ValidatingAdmissionPolicy 'gantry-instances-on-hosts' denied request: failed to configure policy: failed to find resource referenced by paramKind: 'gantry.dev/v1alpha1, Kind=GpuHost'";
  const fault = problemOf(new ApiError(422, { message, reason: 'Invalid' }), { id: 'dev', language: 'en' });
  expect(fault).toMatchObject({ problem: 'unavailable', retryAfterSeconds: expect.any(Number) });
});
