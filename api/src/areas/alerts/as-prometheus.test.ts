// The oracle: Prometheus's own rules (`for`, `keep_firing_for`), run by promtool over an hour of series at stepped time. Which of our
// alarms fire is the same at every minute.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { stringify } from 'yaml';
import { judge } from './judge.ts';
import { FRESH, step } from './step.ts';

const PROMTOOL = '/usr/bin/promtool';
const MINUTES = 60;
const MINUTE_MS = 60_000;
const run = promisify(execFile);

/** The same numbers in every run. */
function* noise(seed: number): Generator<number> {
  let state = seed;
  for (;;) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    yield state / 2 ** 31;
  }
}

interface Policy {
  name: string;
  values: number[];
  begins: { met: number; of: number };
  endsAfter: number;
}

/** Series that rise above 85 and fall again, now and then for a single minute. */
function policiesOf(count: number): Policy[] {
  const random = noise(7);
  const next = (below: number) => Math.floor((random.next().value as number) * below);
  return Array.from({ length: count }, (_, at) => {
    let isHot = false;
    const values = Array.from({ length: MINUTES + 1 }, () => {
      if (next(4) === 0) isHot = !isHot;
      return isHot ? 86 + next(10) : 60 + next(26);
    });
    const met = 1 + next(5);
    // Half of them in a row, half in some of the last cycles; these end once none of these is met.
    const of = at % 2 === 0 ? met : met + next(4);
    return { name: `policy${at}`, values, begins: { met, of }, endsAfter: at % 2 === 0 ? 1 + next(5) : of + next(3) };
  });
}

/** The minutes at which it fires. */
function firing({ values, begins, endsAfter }: Policy): number[] {
  const rules = [{ type: 'Threshold' as const, compare: 'Above' as const, value: 85, level: 'Warning' as const }];
  let state = FRESH;
  return values.flatMap((value, minute) => {
    const outcome = judge({ rules, periodSeconds: 60 }, { value });
    state = step({ begins, endsAfter }, state, outcome, (minute + 1) * MINUTE_MS).state;
    return state.phase === 'firing' ? [minute] : [];
  });
}

/** In a row: Prometheus's own timers. Otherwise it counts, and what fires goes on while one of the last cycles met it. */
function ruleOf({ name, begins: { met, of }, endsAfter }: Policy): object {
  const series = `temperature{policy="${name}"}`;
  if (met === of)
    return { alert: name, expr: `${series} > 85`, for: `${met - 1}m`, keep_firing_for: `${endsAfter - 1}m` };
  // Open at the left, so that no Prometheus counts one more.
  const inLast = (cycles: number) => `max by (policy) (sum_over_time((${series} > bool 85)[${60 * cycles - 1}s:1m]))`;
  const fired = `max by (policy) (ALERTS{alertname="${name}",alertstate="firing"})`;
  return { alert: name, expr: `${inLast(of)} >= ${met} or (${fired} and ${inLast(endsAfter)} > 0)` };
}

async function promtool(policies: readonly Policy[], firingAt: (policy: Policy) => readonly number[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-rules-'));
  const rules = policies.map(ruleOf);
  const tests = policies.flatMap((policy) => {
    const at = new Set(firingAt(policy));
    return policy.values.map((_, minute) => ({
      eval_time: `${minute}m`,
      alertname: policy.name,
      exp_alerts: at.has(minute) ? [{ exp_labels: { policy: policy.name } }] : [],
    }));
  });
  const series = policies.map(({ name, values }) => ({
    series: `temperature{policy="${name}"}`,
    values: values.join(' '),
  }));
  try {
    await writeFile(join(folder, 'rules.yaml'), stringify({ groups: [{ name: 'all', interval: '1m', rules }] }));
    await writeFile(
      join(folder, 'test.yaml'),
      stringify({
        rule_files: ['rules.yaml'],
        evaluation_interval: '1m',
        tests: [{ interval: '1m', input_series: series, alert_rule_test: tests }],
      }),
    );
    const { stdout } = await run(PROMTOOL, ['test', 'rules', 'test.yaml'], { cwd: folder });
    return stdout;
  } catch (error) {
    return `${(error as { stdout?: string }).stdout}${(error as { stderr?: string }).stderr}`;
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('two hundred policies fire at the minutes at which Prometheus’s own rules fire', async () => {
  const policies = policiesOf(200);
  expect(policies.filter((policy) => firing(policy).length > 0).length).toBeGreaterThan(100);
  expect(await promtool(policies, firing)).toContain('SUCCESS');
  // One minute less is seen.
  const [first] = policies.filter((policy) => firing(policy).length > 0);
  expect(await promtool(first ? [first] : [], (policy) => firing(policy).slice(1))).toContain('FAILED');
}, 60_000);
