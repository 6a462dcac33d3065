import { expect, test } from '@jest/globals';
import { countsOfGo, countsOfJest, marked, NOTHING, sum } from './counts.ts';

const go = (...events: object[]) => countsOfGo(events.map((event) => JSON.stringify(event)).join('\n'));

test('a Go test that fails is counted once, not again with its package', () => {
  const counts = go(
    { Action: 'run', Package: 'p', Test: 'TestA' },
    { Action: 'pass', Package: 'p', Test: 'TestA' },
    { Action: 'fail', Package: 'p', Test: 'TestB' },
    { Action: 'skip', Package: 'p', Test: 'TestC' },
    { Action: 'fail', Package: 'p' },
  );
  expect(counts).toEqual({ passed: 1, failed: 1, skipped: 1 });
});

test('a Go package that does not compile is a failure', () => {
  const compiler = 'p/x.go:1:1: expected package clause\n';
  expect(countsOfGo(`${compiler}${JSON.stringify({ Action: 'fail', Package: 'p' })}`)).toEqual({
    ...NOTHING,
    failed: 1,
  });
});

test('a Go package without tests counts for nothing', () => {
  expect(go({ Action: 'skip', Package: 'p' }, { Action: 'pass', Package: 'q' })).toEqual(NOTHING);
});

test('a test file that does not load is a failure', () => {
  const result = { numPassedTests: 2, numFailedTests: 0, numPendingTests: 1, numTodoTests: 0 };
  expect(countsOfJest({ ...result, numRuntimeErrorTestSuites: 1 })).toEqual({ passed: 2, failed: 1, skipped: 1 });
});

test('a command that fails without a failed test is a failure', () => {
  expect(marked({ ...NOTHING, passed: 3 }, 1)).toEqual({ passed: 3, failed: 1, skipped: 0 });
  expect(marked({ ...NOTHING, failed: 2 }, 1).failed).toBe(2);
  expect(marked(NOTHING, 0)).toEqual(NOTHING);
});

test('counts add up', () => {
  const one = { passed: 1, failed: 2, skipped: 3 };
  expect(sum([one, one])).toEqual({ passed: 2, failed: 4, skipped: 6 });
});
