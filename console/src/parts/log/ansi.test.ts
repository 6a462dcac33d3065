// Colours as programs write them, and whatever else they write.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { PLAIN, parseLine, type Style } from './ansi.ts';

const ESC = '\u001b';
const spansOf = (line: string, start: Style = PLAIN) =>
  parseLine(line, start).spans?.map(({ text, style }) => [text, style]);

test.each<[string, string, Style]>([
  ['one of eight', '31', { color: 'var(--ansi-1)' }],
  ['a bright one', '94', { color: 'var(--ansi-12)' }],
  ['a ground', '42', { background: 'var(--ansi-2)' }],
  ['a bright ground', '101', { background: 'var(--ansi-9)' }],
  ['one of 256, by name', '38;5;9', { color: 'var(--ansi-9)' }],
  ['one of the cube', '38;5;196', { color: 'rgb(255 0 0)' }],
  ['a grey', '48;5;232', { background: 'rgb(8 8 8)' }],
  ['a true colour', '38;2;1;22;255', { color: 'rgb(1 22 255)' }],
  ['with colons', '38:5:196', { color: 'rgb(255 0 0)' }],
  ['bold and underlined', '1;4', { isBold: true, isUnderlined: true }],
  ['what follows a true colour', '38;2;1;2;3;1', { color: 'rgb(1 2 3)', isBold: true }],
  ['taken back', '1;31;22', { color: 'var(--ansi-1)' }],
])('%s', (_what, parameters, style) => {
  expect(spansOf(`a${ESC}[${parameters}mb${ESC}[0mc`)).toEqual([
    ['a', PLAIN],
    ['b', style],
    ['c', PLAIN],
  ]);
});

test.each([
  ['a number that is none of 256', '38;5;256'],
  ['half a true colour', '38;2;1'],
  ['an unknown kind', '38;9;1'],
  ['an unknown code', '77'],
  ['a private mode', '?25'],
  ['huge numbers', '38;5;99999999999999999999'],
])('%s colours nothing', (_what, parameters) => {
  expect(parseLine(`${ESC}[${parameters}mtext`, PLAIN)).toEqual({ text: 'text', end: PLAIN });
});

test('a colour lasts over lines until it is taken back', () => {
  const first = parseLine(`${ESC}[31mred`, PLAIN);
  expect(spansOf('still red', first.end)).toEqual([['still red', { color: 'var(--ansi-1)' }]]);
  expect(parseLine(`${ESC}[m`, first.end).end).toBe(PLAIN);
});

test.each([
  ['moves of the cursor', `a${ESC}[2K${ESC}[1;1Hb`, 'ab'],
  ['a title', `${ESC}]0;title\u0007a${ESC}]8;;https://evil.example${ESC}\\b`, 'ab'],
  ['NUL, bell and delete', 'a\u0000\u0007\u007fb', 'ab'],
  ['marks that turn the direction', 'a\u202eb\u2066c\u200fd', 'abcd'],
  ['a sequence that never ends', `a${ESC}[31`, 'a31'],
  ['markup, which stays text', '<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
])('%s', (_what, line, text) => {
  expect(parseLine(line, PLAIN).text).toBe(text);
});

test('whatever is written becomes text without controls, and colours made of numbers', () => {
  const hostile = fc.array(
    fc.oneof(
      fc.constantFrom(
        ESC,
        '[',
        ']',
        'm',
        ';',
        '38',
        '48',
        '5',
        '2',
        '0',
        '\u0007',
        '\u202e',
        '\u0000',
        'url(x)',
        '<b>',
      ),
      fc.string({ unit: 'binary', maxLength: 6 }),
    ),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(hostile, (words) => {
      const { text, spans, end } = parseLine(words.join(''), PLAIN);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: there is to be none
      expect(text).not.toMatch(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      if (spans) expect(spans.map((span) => span.text).join('')).toBe(text);
      for (const { color, background } of [end, ...(spans ?? []).map(({ style }) => style)])
        for (const each of [color, background])
          if (each !== undefined) expect(each).toMatch(/^(var\(--ansi-\d{1,2}\)|rgb\(\d{1,3} \d{1,3} \d{1,3}\))$/);
    }),
  );
});
