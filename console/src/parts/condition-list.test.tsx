// An object's conditions for people: their words first, the API's names below.
import { WordsProvider } from '@gantry/ui/i18n/use-words.tsx';
import { Words } from '@gantry/ui/i18n/words.ts';
import { afterEach, expect, test } from '@jest/globals';
import { cleanup, render, screen, within } from '@testing-library/react';
import { ConditionList } from './condition-list.tsx';
import { words as english } from './words/en.ts';
import { words as chinese } from './words/zh.ts';

afterEach(cleanup);

const TYPES = Object.keys(english.conditions.types);

function show(types: readonly string[], language: 'en' | 'zh' = 'zh') {
  const words = new Words(language);
  words.add('parts', language === 'en' ? english : chinese);
  const conditions = types.map((type) => ({
    type,
    status: 'False' as const,
    reason: 'SomeReason',
    message: '一句话。',
    since: '2026-11-22T04:00:00Z',
  }));
  render(
    <WordsProvider words={words}>
      <ConditionList conditions={conditions} />
    </WordsProvider>,
  );
  return screen.getAllByRole('listitem');
}

test('each is told in words, and by its name in the API below them', () => {
  const [keys] = show(['KeysAccepted']);
  const { getByText, getByTitle } = within(keys as HTMLElement);
  expect(getByText('SSH 密钥可用').tagName).toBe('STRONG');
  getByText('一句话。');
  getByText(/^KeysAccepted · SomeReason · 自 /);
  getByTitle('否');
});

test.each(['en', 'zh'] as const)('in %s every type that there are words for is told by them', (language) => {
  const { types }: { types: Record<string, string> } = (language === 'en' ? english : chinese).conditions;
  const shown = show(TYPES, language).map((item) => item.querySelector('strong')?.textContent);
  expect(shown).toEqual(TYPES.map((type) => types[type]));
});

test('one that a newer operator tells of stands by its name', () => {
  const [item] = show(['Levitates']);
  expect(item?.querySelector('strong')?.textContent).toBe('Levitates');
});
