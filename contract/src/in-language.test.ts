// Stored English sentences in another language: each of the product's own, with what was filled in; nothing that is not one.
import { expect, test } from '@jest/globals';
import { CREDIT_SENTENCES } from './billing/credit-sentences.ts';
import { GAP, sentence, type Words } from './define-kind.ts';
import { KEY_RULES } from './fields/ssh-key.ts';
import { argsInLanguage, inLanguage } from './in-language.ts';
import { dataDisk } from './kinds/data-disk.ts';
import { DETAILS } from './kinds/details.ts';
import { ANY_EXIT_CODE, EXIT_CODES } from './kinds/exits.ts';
import { gpuInstance } from './kinds/gpu-instance.ts';
import { KINDS } from './kinds.ts';
import { POLICY_WORDS, RULE_WORDS } from './rule-words.ts';

const SENTENCES: readonly (readonly [name: string, words: Words])[] = [
  ...Object.values(KINDS).flatMap(({ kind, reasons }) =>
    Object.entries<Words>(reasons).map(([reason, words]) => [`${kind} ${reason}`, words] as const),
  ),
  ...Object.entries<Words>({
    ...CREDIT_SENTENCES,
    ...DETAILS,
    ...EXIT_CODES,
    ANY_EXIT_CODE,
    ...KEY_RULES,
    ...RULE_WORDS,
    ...POLICY_WORDS,
  }),
];

/** `x1`, `x2`, …: two values are never the same, so that none can stand in another's place. */
const argsFor = ({ en }: Words): Record<string, string> =>
  Object.fromEntries([...en.matchAll(GAP)].map(([, name = ''], index) => [name, `x${index}`]));

test.each(SENTENCES)('%s is told in every language with what was filled in', (_, words) => {
  const args = argsFor(words);
  const told = sentence(words, 'en', args);
  expect(inLanguage(told, 'zh', words)).toBe(sentence(words, 'zh', args));
  expect(inLanguage(told, 'ja', words)).toBe(sentence(words, 'ja', args));
  expect(inLanguage(told, 'en', words)).toBe(told);
});

test.each(SENTENCES)('%s has the same gaps in every language', (_, words) => {
  const gaps = (text: string) => [...new Set([...text.matchAll(GAP)].map(([, name]) => name))].sort();
  expect(gaps(words.zh)).toEqual(gaps(words.en));
  expect(gaps(words.ja)).toEqual(gaps(words.en));
});

test.each([
  [
    'a number and its word',
    'The volume grows from 5 to 12 GiB.',
    '存储卷正从 5 GiB 扩容至 12 GiB。',
    dataDisk.reasons.Resizing,
  ],
  [
    'one of something',
    'Port 22 did not answer for 1 second. The container is running and is billed.',
    '端口 22 已 1 秒无响应。容器仍在运行，并照常计费。',
    gpuInstance.reasons.PortSilent,
  ],
  ['what billing says of itself', 'Credit is reserved.', '已预留额度。', undefined],
  [
    'how many months are paid, and what the others need',
    'It is paid for until 2026-04-01 00:00 UTC, and credit covers 3 of 4 months: needs 500.00 USD for 1 month of 2 nodes, 100.00 USD available',
    '费用已付至 2026-04-01 00:00 UTC，额度覆盖 4 个月中的 3 个月：2 个节点 1 个月需要 500.00 USD，可用 100.00 USD',
    undefined,
  ],
  [
    'the longer of two that both would take it',
    'It is paid for until 2026-02-01 00:00 UTC, and not longer: The plan Free has 2 hosts, and there are 2 already.',
    '费用已付至 2026-02-01 00:00 UTC，之后未付：套餐 Free 最多 2 台主机，目前已有 2 台。',
    undefined,
  ],
  [
    'a sentence within a sentence within a sentence',
    'The organisation is out of credit: needs 12.40 USD for the next 2 hours, 3.10 USD available',
    '组织余额不足：接下来 2 小时需要 12.40 USD，可用 3.10 USD',
    gpuInstance.reasons.OutOfCredit,
  ],
  [
    'what a cluster said, in its words, within a sentence of ours',
    'The container can not be made: no such file or directory',
    '无法创建容器：no such file or directory',
    gpuInstance.reasons.BadConfig,
  ],
])('%s', (_, english, chinese, own) => {
  expect(inLanguage(english, 'zh', own)).toBe(chinese);
});

test.each([
  ['what nobody here has written', 'The flux capacitor is empty.', undefined],
  ['a sentence with something after its end', 'The volume grows from 5 to 12 GiB. Or so.', dataDisk.reasons.Resizing],
  ['what can be read in two ways', 'The volume grows from 5 to 6 to 12 GiB.', dataDisk.reasons.Resizing],
  [
    'a number with the word of another',
    'Port 22 did not answer for 1 seconds. The container is running and is billed.',
    gpuInstance.reasons.PortSilent,
  ],
  [
    'what is longer than any of ours',
    `The container can not be made: ${'x'.repeat(400)}`,
    gpuInstance.reasons.BadConfig,
  ],
  ['the same gap, filled in twice differently', 'needs 1 USD for the next hour, 2 EUR available', undefined],
])('%s stays as it was written', (_, english, own) => {
  expect(inLanguage(english, 'zh', own)).toBe(english);
});

test('arguments that are sentences are told in the language; numbers and names are left', () => {
  expect(argsInLanguage({ disk: 'dsk-1', detail: 'The volume is being made.' }, 'ja')).toEqual({
    disk: 'dsk-1',
    detail: 'ボリュームを作成しています。',
  });
});
