import { expect, test } from '@jest/globals';
import { type Block, blocksOf, isAbout } from './blocks-of.ts';

const rows: [string, string, Block[]][] = [
  ['nothing', '', []],
  [
    'paragraphs end at an empty line',
    'One\nline.\n\nTwo.',
    [
      { is: 'paragraph', text: 'One line.' },
      { is: 'paragraph', text: 'Two.' },
    ],
  ],
  ['points are a list', '- a\n- b', [{ is: 'list', points: ['a', 'b'] }]],
  [
    'lines to type keep their breaks and inner spaces',
    '    ssh a  b\n    exit',
    [{ is: 'code', text: 'ssh a  b\nexit' }],
  ],
  ['a dash inside a sentence is no list', 'a\n- b', [{ is: 'paragraph', text: 'a - b' }]],
];

test.each(rows)('%s', (_, text, blocks) => {
  expect(blocksOf(text)).toEqual(blocks);
});

test.each([
  ['every word counts, in any order', 'Keys for SSH', 'ssh key', true],
  ['one that is missing hides it', 'Keys for SSH', 'ssh disk', false],
  ['an empty search finds everything', 'Disks', '  ', true],
  ['Chinese needs no spaces', '停止实例时保留什么', '保留', true],
  ['full-width letters are letters', 'ＳＳＨ 鍵', 'ssh', true],
])('%s', (_, text, search, found) => {
  expect(isAbout(text, search.trim())).toBe(found);
});
