import { expect, test } from '@jest/globals';
import { idCard, isIdCard, wholeIdCard } from './id-card.ts';

test.each([
  ['11010519491231002X', true, 'the example of the standard'],
  ['11010519491231002x', true, 'a small x is as good'],
  ['440524188001010014', true, 'a check digit that is a number'],
  ['130503670401001', true, '15 digits have no check digit'],
  ['110105194912310021', false, 'another check digit'],
  ['11010519491231003X', false, 'one digit changed'],
  ['1305036704010', false, 'too short'],
  ['13050367040100X', false, '15 with an X'],
  ['11010519491231002X ', false, 'a space behind'],
  ['１１０１０５１９４９１２３１００２X', false, 'wide digits'],
  ['', false, 'nothing'],
])('%s is a number: %s (%s)', (text, sound) => expect(isIdCard(text)).toBe(sound));

test('a small x becomes a large one', () => expect(idCard.parse('11010519491231002x')).toBe('11010519491231002X'));

test('a broken number is answered by the name of its sentence, once', () => {
  expect(idCard.safeParse('110105194912310021').error?.issues.map(({ message }) => message)).toEqual([
    'id_card_format',
  ]);
});

test('both forms of one number are one person', () => {
  expect(wholeIdCard('130503670401001')).toBe('130503196704010016');
  expect(isIdCard(wholeIdCard('130503670401001'))).toBe(true);
});
