// How many tests passed and failed, from what Jest and Go write for machines. A run that broke before its first test
// counts as one failure: nothing may fail and leave no mark.

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export const NOTHING: Counts = { passed: 0, failed: 0, skipped: 0 };

export const sum = (all: readonly Counts[]): Counts =>
  all.reduce(
    (total, one) => ({
      passed: total.passed + one.passed,
      failed: total.failed + one.failed,
      skipped: total.skipped + one.skipped,
    }),
    NOTHING,
  );

/** `counts` of a command that ended with `code`. */
export const marked = (counts: Counts, code: number): Counts =>
  code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;

/** The fields of `jest --json` that are counted. A file that does not load is a `RuntimeErrorTestSuite`. */
export interface JestResult {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly numRuntimeErrorTestSuites: number;
}

export const countsOfJest = (result: JestResult): Counts => ({
  passed: result.numPassedTests,
  failed: result.numFailedTests + result.numRuntimeErrorTestSuites,
  skipped: result.numPendingTests + result.numTodoTests,
});

interface GoEvent {
  readonly Action: string;
  readonly Package?: string;
  readonly Test?: string;
}

const FIELD: Readonly<Record<string, keyof Counts>> = { pass: 'passed', fail: 'failed', skip: 'skipped' };

/** Of `go test -json`. A package that fails without a failed test (it does not compile, it exits) is one failure. */
export function countsOfGo(output: string): Counts {
  const counts: Record<keyof Counts, number> = { ...NOTHING };
  const guilty = new Set<string>();
  for (const { Action, Package = '', Test } of output.split('\n').flatMap(goEvent)) {
    const field = FIELD[Action];
    if (field === undefined) continue;
    if (Test === undefined && (Action !== 'fail' || guilty.has(Package))) continue;
    counts[field] += 1;
    if (Action === 'fail') guilty.add(Package);
  }
  return counts;
}

function goEvent(line: string): readonly GoEvent[] {
  return line.startsWith('{') ? [JSON.parse(line)] : [];
}
