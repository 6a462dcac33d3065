// The text of refusals, in the caller's language.
import type { ServerResponse } from 'node:http';
import { brokenKeyRule, KEY_RULES } from '@gantry/contract/fields/ssh-key.ts';
import { type Problem, problem } from '@gantry/contract/http/problem.ts';
import { quoted, said } from '@gantry/contract/said.ts';
import { expect, test } from '@jest/globals';
import { writeProblem } from './write-answer.ts';

function written(fault: Problem, language: 'en' | 'zh'): unknown {
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
  ['zh', '公钥无法使用：其 base64 内容已损坏。'],
  ['en', 'The public key cannot be used: its base64 is damaged.'],
] as const)('in %s the rule that a key breaks is told whole', (language, message) => {
  const broken = brokenKeyRule('ssh-ed25519 %%%') ?? { words: KEY_RULES.parts, args: {} };
  const detail = quoted('detail', said(broken.words, broken.args));
  const body = written(problem('ssh_key_broken', detail, { field: 'public_key' }), language);
  expect(body).toMatchObject({ message, field: 'public_key' });
  expect((body as { args: object }).args).toEqual({ detail: 'its base64 is damaged' });
});
