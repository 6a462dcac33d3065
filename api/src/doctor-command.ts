// `gantry doctor`: the checks as a table for people or JSON for programs, and an exit code.

import { GAP } from '@gantry/contract/define-kind.ts';
import { type CheckResult, FINDINGS, type Finding, worstOf } from '@gantry/contract/doctor.ts';
import { words } from '@gantry/contract/words/en/doctor.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { CHECKS } from './areas/doctor/checks.ts';
import { newRun } from './areas/doctor/new-run.ts';
import { runChecks } from './areas/doctor/run-checks.ts';
import { databaseByOptions, surroundingsOf } from './areas/doctor/surroundings.ts';
import { openClient } from './core/kinds/open-cluster.ts';
import type { DoctorConfig } from './platform/config.ts';
import { version } from './platform/version.ts';

interface Output {
  say(line: string): void;
  signal: AbortSignal;
}

const EXIT_CODE: Readonly<Record<Finding, 0 | 1 | 2>> = { problem: 2, unknown: 1, warning: 1, ok: 0, notApplicable: 0 };

/** Resolves with the exit code. */
export async function runDoctor(config: DoctorConfig, { say, signal }: Output): Promise<number> {
  const { client, close } = openClient(config.kubeconfig, systemClock);
  try {
    const surroundings = surroundingsOf(config, {
      client,
      clock: systemClock,
      isInstalled: !config.beforeInstall,
      database: databaseByOptions(config, systemClock),
    });
    const results = await runChecks(surroundings, { checks: CHECKS, run: newRun(), signal });
    if (config.json) say(JSON.stringify(documentOf(results, config.beforeInstall), null, 2));
    else for (const line of tableOf(results)) say(line);
    return EXIT_CODE[worstOf(results.map(({ finding }) => finding))];
  } finally {
    close();
  }
}

const phrase = (text: string, args: Readonly<Record<string, string>>): string =>
  text.replaceAll(GAP, (gap, name: string) => args[name] ?? gap);
const todo: Readonly<Record<string, string>> = words.todo;

const linesOf = ({ found }: CheckResult) =>
  found.map(({ reason, args }) => ({
    evidence: phrase(words.found[reason], args),
    todo: phrase(todo[reason] ?? '', args),
  }));

function documentOf(results: readonly CheckResult[], beforeInstall: boolean) {
  return {
    version,
    beforeInstall,
    finding: worstOf(results.map(({ finding }) => finding)),
    checks: results.map((result) => ({
      id: result.check,
      ...words.check[result.check],
      finding: result.finding,
      tookMs: result.tookMs,
      found: result.found.map(({ reason, args }, index) => ({ reason, args, ...linesOf(result)[index] })),
    })),
  };
}

/** A row per check, its evidence and what to do below it; the last line counts. */
function tableOf(results: readonly CheckResult[]): string[] {
  const width = Math.max(...Object.values(words.finding).map((text) => text.length));
  const titleWidth = Math.max(...Object.values(words.check).map(({ title }) => title.length));
  const indent = ' '.repeat(width + titleWidth + 4);
  const rows = results.flatMap((result) => {
    const head = `${words.finding[result.finding].padEnd(width)}  ${words.check[result.check].title.padEnd(titleWidth)}  `;
    return linesOf(result).flatMap(({ evidence, todo: what }, index) => [
      `${index === 0 ? head : indent}${evidence}`,
      ...(what === '' ? [] : [`${indent}→ ${what}`]),
    ]);
  });
  const counts = FINDINGS.flatMap((finding) => {
    const many = results.filter((result) => result.finding === finding).length;
    return many > 0 ? [`${many} × ${words.finding[finding]}`] : [];
  });
  return [...rows, '', counts.join(', ')];
}
