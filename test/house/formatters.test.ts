// One formatter for money and one for numbers: whoever writes a second one makes the same amount look different on two screens.
import { expect, test } from '@jest/globals';
import { filesOf, read } from './source-files.ts';

const SHOWN = '{ui,console,admin,portal}/src/**/*.{ts,tsx}';

/** The formatter itself; scores, which have signs and three digits; 80亿 parameters; and how many decimals a currency has. */
const NUMBERS = [
  'ui/src/format/number.ts',
  'portal/src/parts/library-text.ts',
  'console/src/areas/evaluation/use-figures.ts',
  'console/src/areas/billing/recharge/presets.ts',
];

const linesWith = (pattern: string, wrong: RegExp, except: readonly string[] = []): string[] =>
  filesOf(pattern)
    .filter((file) => !file.includes('.test.') && !file.includes('/testing/') && !except.includes(file))
    .flatMap((file) =>
      read(file)
        .split('\n')
        .filter((line) => wrong.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );

test('numbers are written by numberText alone', () => {
  expect(linesWith(SHOWN, /\bNumberFormat\(|\btoLocaleString\(/, NUMBERS)).toEqual([]);
});

test('an amount is never joined with its currency by hand', () => {
  const joined = /\$\{[^}]*([mM]oney|amount|Text\()[^}]*\} \$\{(\w+\.)?currency\}/;
  // What an object's status and an invoice's total say has been read by programs and auditors since the first version.
  const kept = [
    'contract/src/fields/money.ts',
    'api/src/core/billing/documents/pdf-paper.ts',
    'admin/src/parts/staff-money.ts',
  ];
  expect(linesWith(`{contract,api,ui,console,admin,portal}/src/**/*.{ts,tsx}`, joined, kept)).toEqual([]);
});

test('in a sentence every amount has its currency, by which it is written', () => {
  const words = 'contract/src/words/*/{credit,payments,problems}.ts';
  const bare =
    /^(?=.*%\{currency\}).*%\{(spent|cap|left|available|wanted|limit|most|least|amount|rate)\}(?! %\{currency\})/;
  expect(linesWith(`{${words},api/src/**/notices.ts}`, bare)).toEqual([]);
});
