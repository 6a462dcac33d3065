// Every error of the API is reached by some test: its name or its number stands in one, as what was answered.
import { expect, test } from '@jest/globals';
import { PROBLEMS } from '../../contract/src/http/problem.ts';
import { filesOf, read } from './source-files.ts';

/** Still without a test of their own: nothing may be added here. */
const UNREACHED: readonly string[] = [
  'too_many_api_tokens',
  'too_many_kubeconfigs',
  'too_many_members',
  'too_many_organizations',
  'too_many_pub_keys',
];

test('every problem is looked for by some test', () => {
  const tests = filesOf('{api,contract,kube,test}/**/*.test.ts').map(read).join('\n');
  const isReached = ([name, { code }]: readonly [string, { code: number }]) =>
    new RegExp(`\\b(${name}|${code})\\b`).test(tests);
  const unreached = Object.entries(PROBLEMS).filter((row) => !isReached(row) && !UNREACHED.includes(row[0]));
  expect(unreached.map(([name]) => name)).toEqual([]);
});
