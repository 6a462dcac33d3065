import { expect, test } from '@jest/globals';
import { differingPart } from './differing-part.ts';

test.each([
  ['the same', 'by bus', 'by bus', ['by bus', '', '']],
  [
    'another word in the middle',
    'It leaves at noon daily',
    'It leaves at nine daily',
    ['It leaves at ', 'noon', ' daily'],
  ],
  ['words that the other has not', 'by the bus', 'by bus', ['by ', 'the ', 'bus']],
  ['words that are missing', 'by bus', 'by the bus', ['by ', '', 'bus']],
  ['all of it', 'yes', 'no', ['', 'yes', '']],
  ['nothing beside something', '', 'no', ['', '', '']],
  ['a repeated word', 'no no no', 'no no', ['no no', ' no', '']],
  ['a script without spaces', '船在九点开', '船在八点开', ['船在', '九', '点开']],
])('%s', (_, text, other, [before, differing, after]) => {
  expect(differingPart(text, other)).toEqual({ before, differing, after });
});
