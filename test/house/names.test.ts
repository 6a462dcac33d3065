// A name that could hold anything soon does.
import { expect, test } from '@jest/globals';
import { filesOf, read } from './source-files.ts';

const SAYS_NOTHING = /^((.+[-_])?(utils?|helpers?|common|misc)|shared|lib|types|managers?|services?)$/;

test('no file or folder has a name that says nothing', () => {
  const wordsOf = (file: string) => file.split('/').map((part) => part.replace(/(\.test)?\.\w+$/, ''));
  const vague = filesOf('**/*').filter((file) => wordsOf(file).some((word) => SAYS_NOTHING.test(word)));
  expect(vague).toEqual([]);
});

test('a TODO names its issue', () => {
  const nameless = /\b(TODO|FIXME|XXX)\b(?!\(issue [^)]+\))/;
  const guilty = filesOf('**/*.{ts,tsx,js,go,yaml,md}', 'Makefile', '.ci/run')
    .filter((file) => file !== 'test/house/names.test.ts')
    .flatMap((file) =>
      read(file)
        .split('\n')
        .flatMap((line, index) => (nameless.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
    );
  expect(guilty).toEqual([]);
});
