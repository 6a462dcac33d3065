// Keys of the review, and the reasons that they choose.
import { LANGUAGES } from '@gantry/contract/fields/language.ts';
import { expect, test } from '@jest/globals';
import { APPROVALS, REJECTIONS, reasonsFor, TAKES } from './reasons.ts';
import { reviewCommandOf } from './review-keys.ts';

const press = (key: string, at: Partial<Parameters<typeof reviewCommandOf>[1]> = {}, held: object = {}) =>
  reviewCommandOf(
    { key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, isComposing: false, ...held },
    { isAnswering: false, isTyping: false, ...at },
  );

test.each([
  ['a', 'approve'],
  ['A', 'approve'],
  ['r', 'reject'],
  ['m', 'take'],
  ['n', 'next'],
  ['+', 'zoomIn'],
  ['-', 'zoomOut'],
  ['0', 'whole'],
  ['l', 'left'],
  ['t', 'right'],
])('%s: %s', (key, command) => {
  expect(press(key)).toEqual({ do: command });
});

test('a number chooses a reason, once a decision is being made', () => {
  expect(press('3', { isAnswering: true })).toEqual({ do: 'reason', number: 3 });
  expect(press('3')).toBeUndefined();
});

test('letters that are typed are letters, and Enter sends', () => {
  const at = { isAnswering: true, isTyping: true };
  expect(['a', 'r', '1', 'n'].map((key) => press(key, at))).toEqual([undefined, undefined, undefined, undefined]);
  expect(press('Enter', at)).toEqual({ do: 'send' });
  expect(press('Enter', at, { shiftKey: true })).toBeUndefined();
  expect(press('Escape', at)).toEqual({ do: 'back' });
  // Enter that ends the composition of a word is a part of the word.
  expect(press('Enter', at, { isComposing: true })).toBeUndefined();
});

test('Enter decides nothing before a decision is begun', () => {
  expect([press('Enter'), press('Escape')]).toEqual([undefined, undefined]);
});

test.each(['ctrlKey', 'metaKey', 'altKey'])('the browser’s own keys with %s stay its own', (held) => {
  expect(press('a', {}, { [held]: true })).toBeUndefined();
});

test('a reason is shown in the auditor’s language, and sent in the person’s', () => {
  expect(reasonsFor('reject', 'en', 'ja')[0]).toEqual({ shown: REJECTIONS[0]?.en, sent: REJECTIONS[0]?.ja });
  expect(reasonsFor('approve', 'zh', 'zh')).toHaveLength(APPROVALS.length);
});

test('every reason is said in every language, and has a key', () => {
  for (const reasons of [APPROVALS, REJECTIONS, TAKES]) {
    expect(reasons.length).toBeLessThanOrEqual(9);
    for (const words of reasons)
      expect(LANGUAGES.map((language) => words[language].trim() !== '')).not.toContain(false);
  }
});
