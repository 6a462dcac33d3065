// The frame's small rules: the meaning of a key, one toast at a time, search results, links.
import { describe, expect, test } from '@jest/globals';
import { isToTell } from './is-to-tell.ts';
import { matchingRows, type PaletteRow, stepped } from './palette-rows.ts';
import { commandOf } from './shortcut-keys.ts';

describe('a denial is said', () => {
  const at = (status: number, ms: number) => ({ status, at: ms });
  test.each<[string, Parameters<typeof isToTell>, boolean]>([
    ['the first time', [at(403, 0), undefined], true],
    ['not once more while its notice is there', [at(403, 7_999), at(403, 0)], false],
    ['again afterwards', [at(403, 8_000), at(403, 0)], true],
    ['over another, when the session is over', [at(401, 10), at(403, 0)], true],
    ['not over the end of a session', [at(403, 10), at(401, 0)], false],
  ])('%s', (_, args, isSaid) => {
    expect(isToTell(...args)).toBe(isSaid);
  });
});

describe('a key', () => {
  const pressed = (key: string, where: string, keys: KeyboardEventInit = {}) => {
    document.body.innerHTML = where;
    const target = document.querySelector('.here') as Element;
    let command: string | undefined;
    const listen = (event: KeyboardEvent) => {
      command = commandOf(event);
    };
    addEventListener('keydown', listen);
    target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...keys }));
    removeEventListener('keydown', listen);
    return command;
  };
  const PAGE = '<p class="here"></p>';
  const INPUT = '<input class="here" />';
  const TERMINAL = '<div class="xterm"><textarea class="here"></textarea></div>';
  test.each<[string, Parameters<typeof pressed>, string | undefined]>([
    ['Ctrl-K opens the palette', ['k', PAGE, { ctrlKey: true }], 'palette'],
    ['so does Cmd-K, while one types', ['k', INPUT, { metaKey: true }], 'palette'],
    ['Ctrl-K in a terminal is the shell’s', ['k', TERMINAL, { ctrlKey: true }], undefined],
    ['? shows the keys', ['?', PAGE], 'shortcuts'],
    ['a ? that is typed is a ?', ['?', INPUT], undefined],
    ['[ moves the sidebar', ['[', PAGE], 'sidebar'],
    ['Ctrl-? is the browser’s', ['?', PAGE, { ctrlKey: true }], undefined],
  ])('%s', (_, args, command) => {
    expect(pressed(...args)).toBe(command);
  });
});

describe('the palette', () => {
  const row = (id: string, group: PaletteRow['group'], label: string, more: Partial<PaletteRow> = {}): PaletteRow => ({
    id,
    group,
    label,
    run: () => {},
    ...more,
  });
  const rows = [
    row('c', 'commands', 'Create an instance', { words: ['new'] }),
    row('p1', 'pages', 'Model instances'),
    row('p2', 'pages', 'Instances', { hint: 'Development', words: ['develop/instance'] }),
  ];
  const found = (text: string) => matchingRows(rows, text).map(({ id }) => id);
  test.each([
    ['everything is there before one types', '', ['p1', 'p2', 'c']],
    ['what begins with it comes first in its group', 'inst', ['p2', 'p1', 'c']],
    ['every word counts, wherever it stands', 'instance create', ['c']],
    ['the hint and other words are searched', 'DEVELOP', ['p2']],
    ['so are the words that others use', 'new inst', ['c']],
    ['nothing is found', 'zebra', []],
  ])('%s', (_, text, ids) => {
    expect(found(text)).toEqual(ids);
  });
  test('arrows go round', () => {
    expect([stepped(2, 1, 3), stepped(0, -1, 3), stepped(0, 1, 0)]).toEqual([0, 2, 0]);
  });
});
