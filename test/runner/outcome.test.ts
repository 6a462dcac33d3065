import { expect, test } from '@jest/globals';
import { filesOfGo, filesOfJest, marked, NOTHING, outcomeOf, sum } from './outcome.ts';

const go = (...events: object[]) => filesOfGo(events.map((event) => JSON.stringify(event)).join('\n'));

test('a Go test that fails is counted once, not again with its package', () => {
  const files = go(
    { Action: 'run', Package: 'p', Test: 'TestA' },
    { Action: 'pass', Package: 'p', Test: 'TestA' },
    { Action: 'output', Package: 'p', Test: 'TestB', Output: 'life_test.go:106: EOF\n' },
    { Action: 'fail', Package: 'p', Test: 'TestB' },
    { Action: 'skip', Package: 'p', Test: 'TestC' },
    { Action: 'fail', Package: 'p', Elapsed: 1.5 },
  );
  const counts = { passed: 1, failed: 1, skipped: 1 };
  const output = 'life_test.go:106: EOF\n';
  expect(files).toEqual([{ name: 'p', seconds: 1.5, counts, output, failures: ['TestB'] }]);
});

test('a Go package that does not compile is a failure, and keeps what the compiler said', () => {
  const files = go(
    { ImportPath: 'p [p.test]', Action: 'build-output', Output: 'p/x.go:1:1: expected package clause\n' },
    { Action: 'fail', Package: 'p' },
  );
  expect(files).toMatchObject([
    { name: 'p', counts: { failed: 1 }, output: expect.stringContaining('package clause') },
  ]);
});

test('a Go package without tests counts for nothing', () => {
  expect(go({ Action: 'skip', Package: 'p' }, { Action: 'pass', Package: 'q' })).toEqual([]);
});

const jestFile = (name: string, status: string, ...tests: string[]) => ({
  name: `/root/${name}`,
  status,
  message: `\u001b[31m${name} broke\u001b[0m`,
  startTime: 1_000,
  endTime: 3_500,
  assertionResults: tests.map((one) => ({ status: one })),
});

test('a test file that does not load, or whose last hook fails, is a failure', () => {
  const testResults = [jestFile('a.test.ts', 'failed'), jestFile('b.test.ts', 'failed', 'passed', 'pending')];
  expect(filesOfJest({ testResults }, '', '/root')).toMatchObject([
    { name: 'a.test.ts', seconds: 2.5, counts: { ...NOTHING, failed: 1 }, output: 'a.test.ts broke' },
    { name: 'b.test.ts', counts: { passed: 1, failed: 1, skipped: 1 } },
  ]);
});

test('a test file has what Jest printed under its name, and nothing of its neighbours', () => {
  const testResults = [jestFile('x/a.test.ts', 'failed', 'failed'), jestFile('a.test.ts', 'passed', 'passed')];
  const log = [
    'Running one project: stories\n',
    '\u001b[31mFAIL\u001b[0m stories x/a.test.ts (5.1 s)\n  console.log\n    why\n',
    'PASS stories a.test.ts\n  console.log\n    nothing\n',
  ].join('');
  const [broken, sound] = filesOfJest({ testResults }, log, '/root');
  expect(broken?.output).toBe('FAIL stories x/a.test.ts (5.1 s)\n  console.log\n    why\n');
  expect(sound?.output).toBe('PASS stories a.test.ts\n  console.log\n    nothing\n');
});

test('a command that fails without a failed test is a failure', () => {
  expect(marked({ ...NOTHING, passed: 3 }, 1)).toEqual({ passed: 3, failed: 1, skipped: 0 });
  expect(marked({ ...NOTHING, failed: 2 }, 1).failed).toBe(2);
  expect(marked(NOTHING, 0)).toEqual(NOTHING);
  expect(outcomeOf([], 143)).toEqual({ counts: { ...NOTHING, failed: 1 }, files: [] });
});

test('counts add up', () => {
  const one = { passed: 1, failed: 2, skipped: 3 };
  expect(sum([one, one])).toEqual({ passed: 2, failed: 4, skipped: 6 });
});

test('failed tests are named with what they said, and those of one cause once', () => {
  const result = jestFile('a.test.ts', 'failed', 'passed');
  const failed = (fullName: string, ...failureMessages: string[]) => ({ status: 'failed', fullName, failureMessages });
  const more = [
    failed('a host goes', '\u001b[31mError: late\u001b[0m\n  at x'),
    failed('it counts', 'Error: expect(received).toBe(expected)\n\nExpected: 1\nReceived: 2\n  at y'),
    failed('a host comes', 'Error: late\n  at z'),
  ];
  const [file] = filesOfJest(
    { testResults: [{ ...result, assertionResults: [...result.assertionResults, ...more] }] },
    '',
    '/root',
  );
  expect(file?.failures).toEqual([
    'a host goes and 1 more: Error: late',
    'it counts: Error: expect(received).toBe(expected) Expected: 1 Received: 2',
  ]);
});
