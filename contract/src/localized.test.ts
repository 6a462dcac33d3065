// Stored sentences in another language: each of the product's own with what was filled in, and the stored text for anything else.
import { describe, expect, test } from '@jest/globals';
import { alertWords } from './alerts/words.ts';
import { CREDIT_SENTENCES } from './billing/credit-sentences.ts';
import { type Condition, GAP, type KindFacts, sentence, type Words } from './define-kind.ts';
import { KEY_RULES } from './fields/ssh-key.ts';
import { dataDisk } from './kinds/data-disk.ts';
import { DETAILS } from './kinds/details.ts';
import { ANY_EXIT_CODE, EXIT_CODES } from './kinds/exits.ts';
import { gpuHost } from './kinds/gpu-host.ts';
import { gpuInstance } from './kinds/gpu-instance.ts';
import { KINDS } from './kinds.ts';
import { argsIn, localized, REFUSALS } from './localized.ts';
import { RECONCILE_REASONS } from './reconcile-sentences.ts';
import { quoted, said, saidByCondition, saidByStatus } from './said.ts';

const SENTENCES: readonly (readonly [key: string, words: Words])[] = [
  ...Object.values<KindFacts>(KINDS).flatMap(({ reasons }) => Object.values(reasons)),
  ...[
    CREDIT_SENTENCES,
    DETAILS,
    EXIT_CODES,
    KEY_RULES,
    RECONCILE_REASONS,
    alertWords.channels,
    alertWords.failures,
  ].flatMap((table) => Object.values<Words>(table)),
  ANY_EXIT_CODE,
  ...REFUSALS,
].map((words) => [words.key ?? '', words] as const);

const gapsOf = (text: string): string[] => [...new Set([...text.matchAll(GAP)].map(([, name = '']) => name))].sort();
/** `x1`, `x2`, …: two values are never the same, so that none can stand in another's place. */
const argsFor = ({ en }: Words) => Object.fromEntries(gapsOf(en).map((name, index) => [name, `x${index}`]));
const nothing = { reasons: {} };

test('a value that a sentence has no gap for is not kept', () => {
  expect(said(DETAILS.freeCores, { free: '1', wanted: '2', model: 'H100' }).args).toEqual({
    ...{ sentence: 'detail.freeCores', free: '1', wanted: '2' },
  });
});

test('no two sentences have one key', () => {
  const keys = SENTENCES.map(([key]) => key);
  expect(keys.filter((key, index) => key === '' || keys.indexOf(key) !== index)).toEqual([]);
});

test.each(SENTENCES)('%s is told in every language with what was filled in', (_, words) => {
  const args = argsFor(words);
  const stored = said(words, args);
  expect(stored.message).toBe(sentence(words, 'en', args));
  for (const language of ['en', 'zh', 'ja'] as const)
    expect(localized(nothing, stored, language)).toBe(sentence(words, language, args));
});

test.each(SENTENCES)('%s has the same gaps in every language', (_, { en, zh, ja }) => {
  expect(gapsOf(zh)).toEqual(gapsOf(en));
  expect(gapsOf(ja)).toEqual(gapsOf(en));
});

describe('plurals', () => {
  const counted = SENTENCES.filter(([, { en }]) => en.includes('||||'));

  test.each(counted)('%s has two forms of one sentence, and shows one of them', (_, words) => {
    const [one = '', many = ''] = words.en.split('||||');
    expect(gapsOf(many)).toEqual(gapsOf(one));
    const all = (value: string) => Object.fromEntries(gapsOf(one).map((name) => [name, value]));
    expect(sentence(words, 'en', all('1'))).toBe(sentence({ ...words, en: one.trim() }, 'en', all('1')));
    expect(sentence(words, 'en', all('2'))).toBe(sentence({ ...words, en: many.trim() }, 'en', all('2')));
  });

  test.each([
    ['1', '2', 'it needs 1 core; free: 2'],
    ['2', '1', 'it needs 2 cores; free: 1'],
    ['0.5', '0', 'it needs 0.5 cores; free: 0'],
  ])('the number before the words that differ decides: %s', (wanted, free, text) => {
    expect(sentence(DETAILS.freeCores, 'en', { wanted, free })).toBe(text);
  });

  test('without its number a sentence still shows one form', () => {
    expect(sentence(gpuHost.reasons.ExpiresSoon, 'en')).toBe('The host expires at %{at}, in %{hours} hours.');
  });
});

describe('a sentence within a sentence', () => {
  const needs = said(CREDIT_SENTENCES.needs, {
    wanted: '12.40',
    currency: 'USD',
    available: '3.10',
    what: said(CREDIT_SENTENCES.nextHours, { hours: '2' }),
  });

  test('is told at every depth', () => {
    const condition = { reason: 'OutOfCredit', ...needs };
    expect(localized(gpuInstance, condition, 'zh')).toBe('接下来 2 小时需要 $12.40，可用 $3.10');
    const host = {
      phase: 'pending',
      ...{ reason: 'OutOfCredit', reasonArgs: { ...quoted('detail', needs) } },
      message: 'The organisation is out of credit: needs $12.40 for the next 2 hours, $3.10 available',
    };
    const waits = { host: 'hst-1', ...quoted('detail', saidByStatus(gpuHost.kind, host)) };
    expect(localized(gpuInstance, { reason: 'HostNotReady', args: waits }, 'zh')).toBe(
      'spec.host：主机 hst-1 未就绪：组织余额不足：接下来 2 小时需要 $12.40，可用 $3.10',
    );
    expect(localized(gpuInstance, { reason: 'HostNotReady', args: waits }, 'en')).toBe(
      'spec.host: the host hst-1 is not ready: The organisation is out of credit: needs $12.40 for the next 2 hours, $3.10 available',
    );
  });

  test('says what a cluster said in its own words', () => {
    const args = { detail: 'no such file or directory' };
    expect(localized(gpuInstance, { reason: 'BadConfig', args }, 'zh')).toBe('无法创建容器：no such file or directory');
  });

  test('of an older version is told in English', () => {
    const old = saidByCondition(gpuInstance.kind, { reason: 'NoAgentOnNode', message: 'Node a has no agent.' });
    expect(argsIn('ja', quoted('detail', old))).toEqual({ detail: 'Node a has no agent.' });
  });
});

describe('what makes no whole sentence of ours stays as it is stored', () => {
  const message = 'As it was written.';
  test.each<[what: string, stored: { reason?: string; args?: Record<string, unknown> }]>([
    ['an unknown reason', { reason: 'Beam' }],
    ['a reason that every object knows', { reason: 'constructor' }],
    ['no reason', {}],
    ['no arguments', { reason: 'Resizing' }],
    ['too few arguments', { reason: 'Resizing', args: { from: '5' } }],
    ['a number of another shape', { reason: 'Resizing', args: { from: '5', to: { gib: 12 } } }],
    [
      'an argument that is inherited',
      { reason: 'Resizing', args: Object.create({ from: '5', to: '12' }) as object as never },
    ],
    [
      'a sentence of a newer version',
      { reason: 'Resizing', args: { sentence: 'DataDisk.Beamed', from: '5', to: '12' } },
    ],
    ['a sentence that is no text', { reason: 'Available', args: { sentence: {} } }],
    ['a sentence that every object knows', { reason: 'Available', args: { sentence: 'constructor' } }],
    ['only what a sentence within takes', { reason: 'Mounted', args: { 'by.sentence': 'detail.diskMade' } }],
  ])('%s', (_, stored) => {
    for (const language of ['en', 'zh', 'ja'] as const)
      expect(localized(dataDisk, { ...stored, message }, language)).toBe(message);
  });

  test('whatever else is beside the arguments', () => {
    const args = { by: 'dev', extra: 'x', '': 'x', '.': 'x', 'by.': 'x', '.sentence': 'x', __proto__: { by: 'eve' } };
    expect(localized(dataDisk, { reason: 'Mounted', args, message }, 'zh')).toBe('磁盘已由 dev 挂载。');
  });

  test.each(['%{by}', '%{sentence}', 'a |||| b', '$&', '\u0000'])('the value %j is not read as a sentence', (by) => {
    expect(localized(dataDisk, { reason: 'Mounted', args: { by }, message }, 'en')).toBe(
      `The disk is mounted by ${by}.`,
    );
  });

  test('a sentence within one that names itself', () => {
    const args = {
      detail: 'x',
      'detail.sentence': 'DataDisk.Refused',
      'detail.detail': 'y',
      'detail.detail.sentence': 'DataDisk.Refused',
    };
    expect(localized(dataDisk, { reason: 'Refused', args, message }, 'zh')).toBe(
      '集群拒绝了该磁盘：集群拒绝了该磁盘：y',
    );
  });
});

test('conditions are told by the sentence that they name, or else by their reason', () => {
  const condition = (parts: Partial<Condition>): Condition => ({
    ...{ type: 'CreditReserved', status: 'True', reason: 'Reserved', message: 'Credit is reserved.' },
    ...{ lastTransitionTime: '2026-11-22T04:00:00Z', ...parts },
  });
  const named = condition(said(CREDIT_SENTENCES.reserved));
  expect(localized(gpuInstance, named, 'ja')).toBe('残高を確保しています。');
  expect(localized(gpuInstance, condition({}), 'ja')).toBe('Credit is reserved.');
  expect(localized(gpuInstance, condition({ reason: 'RootSaved' }), 'zh')).toBe(gpuInstance.reasons.RootSaved.zh);
});

test('arguments that are sentences are told in the language; numbers and names are left', () => {
  const args = { disk: 'dsk-1', seconds: 2, ...quoted('detail', said(dataDisk.reasons.Provisioning)) };
  expect(argsIn('ja', args)).toEqual({ disk: 'dsk-1', seconds: '2', detail: 'ボリュームを作成しています。' });
});
