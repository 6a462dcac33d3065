import { expect, test } from '@jest/globals';
import { peopleIn, portionsOf } from './people-in.ts';

const rows: [string, string, string[]][] = [
  ['nothing', ' \n ', []],
  ['one name', 'ada-l', ['ada-l']],
  [
    'lines, commas, semicolons and spaces',
    'a@x.y, b@x.y;c@x.y\nd@x.y e@x.y',
    ['a@x.y', 'b@x.y', 'c@x.y', 'd@x.y', 'e@x.y'],
  ],
  ['Chinese and Japanese separators', 'a@x.y，b@x.y、c@x.y；d@x.y', ['a@x.y', 'b@x.y', 'c@x.y', 'd@x.y']],
  ['as a mail program copies them', 'Ada Lovelace <ada@x.y>, "B, C" <b@x.y>', ['ada@x.y', 'B', 'b@x.y']],
  ['one person is added once, however it is written', 'Ada@x.y ada@X.Y', ['Ada@x.y']],
  ['the full stop of a sentence is none of an address', 'ada@x.y.', ['ada@x.y']],
];

test.each(rows)('%s', (_, text, people) => {
  expect(peopleIn(text)).toEqual(people);
});

test('a list that is too long for one call goes in portions', () => {
  expect(portionsOf([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
  expect(portionsOf([], 2)).toEqual([]);
});
