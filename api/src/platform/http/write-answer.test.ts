// The text of refusals, in the caller's language.
import type { ServerResponse } from 'node:http';
import { MONITOR_ROUTES } from '@gantry/contract/areas/monitoring/monitor.ts';
import { namingPlan } from '@gantry/contract/billing/plans.ts';
import { brokenKeyRule, KEY_RULES } from '@gantry/contract/fields/ssh-key.ts';
import { type Problem, problem } from '@gantry/contract/http/problem.ts';
import { quoted, said } from '@gantry/contract/said.ts';
import { expect, test } from '@jest/globals';
import { preparedOf, preparedWith, writeProblem } from './write-answer.ts';

function written(fault: Problem, language: 'en' | 'zh' | 'ja'): unknown {
  let text = '';
  const res = {
    headersSent: false,
    hasHeader: () => true,
    setHeader: () => res,
    removeHeader: () => undefined,
    end: (body: string) => {
      text += body;
    },
  };
  writeProblem(res as unknown as ServerResponse, fault, language, 'r-1');
  return JSON.parse(text);
}

test.each([
  ['zh', '公钥无法使用：其 base64 内容无效。'],
  ['en', 'The public key cannot be used: its base64 is not valid.'],
] as const)('in %s the rule that a key breaks is told whole', (language, message) => {
  const broken = brokenKeyRule('ssh-ed25519 %%%') ?? { words: KEY_RULES.parts, args: {} };
  const detail = quoted('detail', said(broken.words, broken.args));
  const body = written(problem('ssh_key_broken', detail, { field: 'public_key' }), language);
  expect(body).toMatchObject({ message, field: 'public_key' });
  expect((body as { args: object }).args).toEqual({ detail: 'its base64 is not valid' });
});

test.each([
  ['en', 'The Standard plan allows 20 hosts, and you have 20.'],
  ['zh', '套餐 标准版 最多 20 台主机，当前已有 20 台。'],
  ['ja', 'プラン スタンダード のホストは最大 20 台で、現在 20 台あります。'],
] as const)('in %s a plan has its name in that language', (language, message) => {
  const body = written(problem('plan_limit', { ...namingPlan('standard'), cap: 20, held: 20 }), language);
  expect(body).toMatchObject({ message, args: { plan: 'Standard', cap: 20, held: 20 } });
});

test('an answer with a field that is text already is the same as without, whatever its other texts say', () => {
  const series = [{ labels: { pod: '$& "series":null' }, points: [1, null] }];
  const answer = { start: 'a', end: '"series":null', step: 60, warnings: ['$1 "series":null'] };
  const whole = preparedWith(MONITOR_ROUTES.query, { ...answer, series: JSON.stringify(series) }, 'series');
  expect(`${whole.bytes}`).toBe(`${preparedOf(MONITOR_ROUTES.query, { ...answer, series }).bytes}`);
  const two = { series: JSON.stringify(series), more: JSON.stringify({ 'series":null': null, more: null }) };
  const both = preparedWith(MONITOR_ROUTES.query, { ...answer, ...two }, 'series', 'more');
  const plain = { ...answer, series, more: JSON.parse(two.more) };
  expect(`${both.bytes}`).toBe(`${preparedOf(MONITOR_ROUTES.query, plain).bytes}`);
});
