// "None" is said of a list that has arrived: before its answer a list of the hook has no items either.
import { expect, test } from '@jest/globals';
import { filesOf, read } from './source-files.ts';

/** Of the hook's own list. A line that asks for the error as well shows that. */
const EMPTY = /^(?!.*error).*\bitems\.length === 0/i;

test('what shows an empty state asks isEmpty, which is false until the list is there', () => {
  const hasty = filesOf('{console,admin,portal}/src/{areas,resources,shell,pages}/**/*.tsx')
    .filter((file) => !file.includes('.test.') && /\buseList\(/.test(read(file)))
    .flatMap((file) =>
      read(file)
        .split('\n')
        .filter((line) => EMPTY.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
  expect(hasty).toEqual([]);
});
