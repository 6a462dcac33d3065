// `make fuzz`: Schemathesis against the document of the whole gateway, over an API server in memory. No answer may be a
// failure of ours, nor any that its route does not promise. FUZZ_SECONDS says for how long, else so many examples of each call are
// tried; a seed makes a run of examples repeatable.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { runCommand } from '../support/command.ts';
import { endingWithUs } from '../support/ending-with-us.ts';

const FOLDER = resolve('.run/schemathesis');
const PROGRAM = `${FOLDER}/bin/schemathesis`;
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];
/** The longest duration that the product allows a call: a new disk keeps the caller of its files waiting for 12 s. */
const MOST_SECONDS = 30;
/** A stream never ends on its own; a logout and a switch end the session that all others need. */
const LEFT_OUT = ['streamMessages', 'logout', 'switchOrganization'];

/** Rejects with a sentence if the program cannot be installed. */
async function installSchemathesis(): Promise<void> {
  if (existsSync(PROGRAM)) return;
  const made = await runCommand('python3', ['-m', 'venv', FOLDER]);
  if (made.code !== 0) {
    throw new Error(`fuzzing needs python3 with its module venv (Debian: python3-venv): ${made.stdout}${made.stderr}`);
  }
  const pip = [`${FOLDER}/bin/pip`, 'install', '--quiet', '--no-deps', '--requirement', 'test/fuzz/requirements.txt'];
  const installed = await runCommand(pip[0] ?? '', pip.slice(1));
  if (installed.code !== 0) throw new Error(`Schemathesis could not be installed: ${installed.stderr}`);
}

async function startGateway(): Promise<{ child: ChildProcess; url: string; token: string }> {
  const program = endingWithUs(process.execPath, ['test/fuzz/gateway-process.ts']);
  const child = spawn(...program, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await new Promise<string[]>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the gateway ended with ${code}`)));
    createInterface({ input: child.stdout }).on('line', (text) => {
      if (text.startsWith('{"url"')) resolve([text]);
      else console.error(text);
    });
  });
  return { child, ...JSON.parse(line ?? '{}') };
}

async function fuzz(seconds: string | undefined, seed: number): Promise<number> {
  await installSchemathesis();
  const { child, url, token } = await startGateway();
  try {
    const { code } = await runCommand(
      PROGRAM,
      [
        ...['run', `${url}/api/openapi.json`, '--header', `X-Token: ${token}`],
        ...['--checks', CHECKS.join(','), '--phases', 'fuzzing,stateful', '--max-examples', seconds ? '10' : '4'],
        ...(seconds ? ['--max-time', seconds] : []),
        ...[
          '--request-timeout',
          `${MOST_SECONDS}`,
          '--seed',
          `${seed}`,
          '--continue-on-failure',
          '--no-color',
          '--no-shrink',
        ],
        ...['--suppress-health-check', 'all', '--warnings', 'off', '--generation-database', 'none'],
        ...LEFT_OUT.flatMap((id) => ['--exclude-operation-id', id]),
      ],
      // It leaves files in its working directory.
      { shown: true, cwd: FOLDER },
    );
    return code ?? 1;
  } finally {
    child.kill('SIGTERM');
  }
}

const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 1_000_000));
process.exitCode = await fuzz(process.env.FUZZ_SECONDS, seed).catch((error: Error) => {
  console.error(error.message);
  return 1;
});
