// react-admin's words in each language: a key that is missing there would be shown in English, or as its own name.
import { expect, test } from '@jest/globals';
import english from 'ra-language-english';
import { loadPack } from './i18n-provider.ts';
import { chinese } from './react-admin-chinese.ts';

const flat = (phrases: object, prefix = ''): [string, string][] =>
  Object.entries(phrases).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${prefix}${key}`, value] as [string, string]] : flat(value, `${prefix}${key}.`),
  );

const wanted = new Map(flat(english));

test('Chinese has every key that English has, and no other', () => {
  expect(
    flat(chinese)
      .map(([key]) => key)
      .sort(),
  ).toEqual([...wanted.keys()].sort());
});

test('a Chinese phrase fills in nothing that the English one does not know', () => {
  const gaps = (text = '') => [...new Set(text.match(/%\{\w+\}/g))].sort();
  const strangers = flat(chinese).filter(([key, text]) =>
    gaps(text).some((gap) => !gaps(wanted.get(key)).includes(gap) && gap !== '%{smart_count}'),
  );
  expect(strangers).toEqual([]);
});

test('Japanese lacks no key that our pages show', async () => {
  const known = new Set(flat(await loadPack('ja')).map(([key]) => key));
  const missing = [...wanted.keys()].filter((key) => !known.has(key) && !/^ra\.(configurable|guesser)\./.test(key));
  expect(missing).toEqual([]);
});
