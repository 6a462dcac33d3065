import { expect, test } from '@jest/globals';
import { plainLines, plainText } from './plain-text.ts';

const complaint = (schema: ReturnType<typeof plainText>, text: string) => {
  const { error } = schema.safeParse(text);
  return error?.issues[0]?.message;
};

test.each(['Acme', '星尘 GPU', 'テスト・部', "Müller & Sons (Köln) no. 1'", 'a'])('one line takes %j', (text) =>
  expect(complaint(plainText(63), text)).toBeUndefined(),
);

test.each(['Café', 'プロジェクト', '각'])('one line takes %j as macOS writes it, and keeps it composed', (text) => {
  expect(text.normalize('NFD')).not.toBe(text);
  expect(plainText(text.length).parse(text.normalize('NFD'))).toBe(text);
});

test('a line that is too long is refused before it is composed', () => {
  expect(complaint(plainText(63), 'é'.normalize('NFD').repeat(64))).toMatch(/expected string to have <=63/);
  expect(complaint(plainText(63), 'a'.repeat(1_000_000))).toMatch(/expected string to have <=/);
});

test.each([
  [' Acme', 'a space before it'],
  ['Acme\n', 'a new line'],
  ['Ac\u0000me', 'a zero byte'],
  ['Ac\u200bme', 'a space without width'],
  ['\u202eemcA', 'a turned direction'],
  ['Ａcme', 'a wide letter'],
  ['Ac\ud800me', 'half a surrogate'],
  ['ﬁne', 'a ligature'],
])('one line refuses %j: %s', (text) => expect(complaint(plainText(63), text)).toBe('plain_text'));

test('several lines take what one line does not, and nothing hidden', () => {
  expect(complaint(plainLines(100), 'one\n\ttwo：三')).toBeUndefined();
  expect(complaint(plainLines(100), '')).toBeUndefined();
  expect(complaint(plainLines(100), 'one\u0000two')).toBe('plain_text');
});
