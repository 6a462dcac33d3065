// How many tests passed and failed in each file, from what Jest and Go write for machines. A run that broke before its first test
// counts as one failure: nothing may fail and leave no mark.
import { stripVTControlCharacters } from 'node:util';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** One test file; of Go, one package. */
export interface FileOutcome {
  /** A path from the repository's root, or a package's import path. */
  readonly name: string;
  readonly seconds: number;
  readonly counts: Counts;
  readonly output: string;
  /** The failed tests with the first line of what each said; of Go, functions. Empty where a file broke. */
  readonly failures?: readonly string[];
}

export interface Outcome {
  readonly counts: Counts;
  /** Empty when the command has no files, or broke before it could say. */
  readonly files: readonly FileOutcome[];
}

/** Characters of what a failure said. */
const MOST_SAID = 300;

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

/** The outcome of a command that ended with `code`. */
export const outcomeOf = (files: readonly FileOutcome[], code: number): Outcome => ({
  counts: marked(sum(files.map(({ counts }) => counts)), code),
  files,
});

/** The fields of `jest --json` that are read. */
export interface JestResult {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly JestTest[];
  }[];
}

interface JestTest {
  readonly status: string;
  readonly fullName?: string;
  readonly failureMessages?: readonly string[];
}

const JEST_FIELD: Readonly<Record<string, keyof Counts>> = {
  passed: 'passed',
  failed: 'failed',
  pending: 'skipped',
  todo: 'skipped',
};

/** `log` is Jest's output; names become paths from `root`. A file that fails without a failed test is one failure. */
export function filesOfJest({ testResults }: JestResult, log: string, root: string): FileOutcome[] {
  const printed = stripVTControlCharacters(log).split(/^(?=(?:PASS|FAIL) )/m);
  return testResults.map(({ name, status, message, startTime, endTime, assertionResults }) => {
    const counts: Record<keyof Counts, number> = { ...NOTHING };
    for (const one of assertionResults) {
      const field = JEST_FIELD[one.status];
      if (field) counts[field] += 1;
    }
    const path = name.startsWith(`${root}/`) ? name.slice(root.length + 1) : name;
    const blocks = printed.filter((block) => block.split('\n', 1)[0]?.includes(` ${path}`));
    return {
      name: path,
      seconds: (endTime - startTime) / 1000,
      counts: marked(counts, status === 'failed' ? 1 : 0),
      output: blocks.join('') || stripVTControlCharacters(message),
      failures: failuresOf(assertionResults.filter((test) => test.status === 'failed')),
    };
  });
}

/** Failures with one cause, such as a cluster that did not come, are reported once. */
function failuresOf(failed: readonly JestTest[]): string[] {
  return [...Map.groupBy(failed, saidBy)].map(([said, [first, ...others]]) => {
    const more = others.length > 0 ? ` and ${others.length} more` : '';
    return [`${first?.fullName ?? ''}${more}`, said].filter(Boolean).join(': ');
  });
}

/** The first line, and what differs of an expectation. */
function saidBy({ failureMessages = [] }: JestTest): string {
  const [first = '', ...lines] = stripVTControlCharacters(failureMessages[0] ?? '').split('\n');
  const differences = lines.filter((line) => /^\s*([+-] |Expected|Received)/.test(line)).map((line) => line.trim());
  return [first, ...differences].join(' ').slice(0, MOST_SAID);
}

interface GoEvent {
  readonly Action: string;
  readonly Package?: string;
  readonly ImportPath?: string;
  readonly Test?: string;
  readonly Elapsed?: number;
  readonly Output?: string;
}

interface GoPackage {
  seconds: number;
  counts: Record<keyof Counts, number>;
  output: string;
  failures: string[];
}

const GO_FIELD: Readonly<Record<string, keyof Counts>> = { pass: 'passed', fail: 'failed', skip: 'skipped' };

/**
 * From `go test -json`, the packages that have tests or fail. A package that fails without a failed test (it does not compile, it
 * exits) is one failure.
 */
export function filesOfGo(output: string): FileOutcome[] {
  const packages = new Map<string, GoPackage>();
  for (const event of output.split('\n').flatMap(goEvent)) {
    const { Action, Test, Elapsed = 0, Output = '' } = event;
    // Compiler output has the package in another field, sometimes followed by a space and the test binary.
    const name = event.Package ?? event.ImportPath?.split(' ')[0];
    if (name === undefined) continue;
    const found = packages.get(name) ?? { seconds: 0, counts: { ...NOTHING }, output: '', failures: [] };
    packages.set(name, found);
    found.output += Output;
    const field = GO_FIELD[Action];
    if (field === undefined) continue;
    if (Test !== undefined) found.counts[field] += 1;
    else found.seconds = Elapsed;
    if (Test === undefined && Action === 'fail') found.counts.failed ||= 1;
    if (Test !== undefined && Action === 'fail') found.failures.push(Test);
  }
  return [...packages]
    .map(([name, found]) => ({ name, ...found }))
    .filter(({ counts }) => Object.values(counts).some((count) => count > 0));
}

const goEvent = (line: string): readonly GoEvent[] => (line.startsWith('{') ? [JSON.parse(line)] : []);
