// A server of a test's own: its output goes to a file, and it never outlives the test run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { endingWithUs } from './ending-with-us.ts';

export interface Child {
  hasEnded(): boolean;
  lastWords(): Promise<string>;
  /** SIGKILL: what it would save is discarded anyway. */
  end(): Promise<void>;
}

/** Flags as `--name=value`; a list is taken as it is. */
export function startChild(
  file: string,
  flags: Readonly<Record<string, string>> | readonly string[],
  logFile: string,
): Child {
  const log = openSync(logFile, 'a');
  const args = isList(flags) ? flags : Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  const child = spawn(...endingWithUs(file, args), { stdio: ['ignore', log, log] });
  closeSync(log);
  // Without a listener the error of a program that cannot start would end the test run; `pid` tells.
  child.once('error', () => undefined);
  const hasEnded = () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
  return {
    hasEnded,
    lastWords: async () => (await readFile(logFile, 'utf8')).split('\n').slice(-10).join('\n'),
    end: async () => {
      if (hasEnded()) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const isList = (flags: object): flags is readonly string[] => Array.isArray(flags);
