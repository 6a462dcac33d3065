// Search that forgives a typing error or two, in English, Chinese and Japanese; what it marks; and how much work it is at most.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { distanceOf, TextIndex } from './text-index.ts';

const TEXTS: Record<string, { name: string; card: string }> = {
  qwen: { name: 'Qwen3-8B-Instruct', card: 'A multilingual chat model by Alibaba. Speaks Chinese and English.' },
  llama: { name: 'CodeLlama 13B', card: 'Writes and completes programs.' },
  embed: { name: 'bge-large-zh', card: '中文文本向量模型，用于语义检索与知识库。' },
  swallow: { name: 'Swallow 日本語モデル', card: '日本語の文章を生成する大規模言語モデルです。' },
};
const index = new TextIndex();
const put = (texts: typeof TEXTS) =>
  index.keep(
    Object.entries(texts).map(([id, { name, card }]) => ({
      id,
      stamp: name,
      fields: () => [
        { text: name, weight: 4 },
        { text: card, weight: 1 },
      ],
    })),
  );
beforeAll(() => put(TEXTS));
const found = async (question: string) => (await index.find(question)).hits.map(({ id }) => id);

describe('a search', () => {
  test.each([
    ['a word', 'alibaba', ['qwen']],
    ['a word in other case and in wide letters', 'ＣｏｄｅＬｌａｍａ', ['llama']],
    ['the beginning of a word', 'multi', ['qwen']],
    ['the inside of a word', 'llama', ['llama']],
    ['a letter left out', 'instrct', ['qwen']],
    ['two letters swapped', 'mutlilingual', ['qwen']],
    ['two wrong letters of a long word', 'multelingoal', ['qwen']],
    ['words that stand in both fields', 'qwen chat', ['qwen']],
    ['Chinese of a card', '语义检索', ['embed']],
    ['Chinese with one wrong character', '中文文木向量模型', ['embed']],
    ['Japanese of a name', '日本語', ['swallow']],
    ['Japanese in narrow letters', 'ﾓﾃﾞﾙ', ['swallow']],
    ['Japanese with one wrong character', '大規摸言語モデル', ['swallow']],
    ['one character', '库', ['embed']],
  ])('finds %s', async (_, question, ids) => expect(await found(question)).toEqual(ids));

  test.each([
    ['another word as long', 'alabamo1'],
    ['a short word with an error', 'chst1'],
    ['words of which one stands nowhere', 'qwen nowhere'],
    ['Chinese that shares no pair', '天气预报'],
  ])('does not find %s', async (_, question) => expect(await found(question)).toEqual([]));

  test('without a word finds everything in its order', async () => {
    expect(await found('  … ')).toEqual(Object.keys(TEXTS));
  });

  test('puts a name before a card', async () => {
    await put({ ...TEXTS, other: { name: 'other', card: 'Better than Qwen3 at chat.' } });
    expect(await found('qwen3')).toEqual(['qwen', 'other']);
    await put(TEXTS);
    expect(await found('other')).toEqual([]);
  });
});

test.each([
  ['multilingual', 'A Multilingual model', ['Multilingual']],
  ['llama', 'CodeLlama 13B', ['Llama']],
  ['语义检索', '用于语义检索与', ['语义检索']],
  ['ﾓﾃﾞﾙ', '日本語モデル', ['モデル']],
  ['モデル', '日本語ﾓﾃﾞﾙ', ['ﾓﾃﾞﾙ']],
  ['nothing', 'A Multilingual model', []],
])('a search for %s marks its part of %s', async (question, text, parts) => {
  expect((await index.find(question)).rangesIn(text).map(([from, to]) => text.slice(from, to))).toEqual(parts);
});

test('texts that share rarer words are related, and never a text to itself', async () => {
  const other = new TextIndex();
  await other.keep(
    ['ssh keys and login', 'login with ssh', 'bills and money', 'money'].map((text, at) => ({
      id: `${at}`,
      stamp: '',
      fields: () => [{ text, weight: 1 }],
    })),
  );
  expect(other.related('0', 5)[0]).toBe('1');
  expect(other.related('3', 5)).toEqual(['2']);
  expect(other.related('none', 5)).toEqual([]);
});

test.each([
  ['same', 'same', 0],
  ['ab', 'ba', 1],
  ['kitten', 'sitting', 3],
  ['kitten', 'sittin', 2],
])('%s and %s differ by %d', (a, b, distance) => expect(distanceOf(a, b, 2)).toBe(distance));

test('a text of one long word, and a question of many, are cut', async () => {
  const other = new TextIndex();
  await other.keep([{ id: 'a', stamp: '', fields: () => [{ text: 'x'.repeat(1_000_000), weight: 1 }] }]);
  expect((await other.find(`${'x'.repeat(60)} `)).hits).toHaveLength(1);
  expect((await other.find('y z '.repeat(10_000))).hits).toEqual([]);
});
