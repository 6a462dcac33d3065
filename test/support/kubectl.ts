// The real kubectl: what a person at a terminal sees is what tests should see.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { binary } from '../../hack/binaries.ts';
import { type Ended, runCommand } from './command.ts';
import { endingWithUs } from './ending-with-us.ts';

export interface Followed {
  /** On standard output and standard error, so far. */
  said(): string;
  /** Resolves at its end, with all its output. */
  ended: Promise<string>;
}

export interface Kubectl {
  /** However it ends. `input` goes to standard input, an object as JSON: `run(['apply', '-f', '-'], instance)`. */
  run(args: readonly string[], input?: string | object): Promise<Ended>;
  /** Standard output; throws with what kubectl complained of. */
  must(args: readonly string[], input?: string | object): Promise<string>;
  /** A command that does not end on its own, such as a watch. */
  follow(args: readonly string[]): Promise<Followed>;
  /** `get … -o json`, parsed; undefined when there is no such object. */
  get<T = unknown>(...args: string[]): Promise<T | undefined>;
}

export function kubectlWith(kubeconfig: string): Kubectl {
  // Throw-away API servers share ports over time, and must not share what kubectl remembers of them.
  const env = { KUBECONFIG: kubeconfig, KUBECACHEDIR: join(dirname(kubeconfig), 'kubectl-cache') };

  const run: Kubectl['run'] = async (args, input) => {
    const text = typeof input === 'object' ? JSON.stringify(input) : input;
    return runCommand(await binary('kubectl'), args, { env, ...(text === undefined ? {} : { input: text }) });
  };
  const must: Kubectl['must'] = async (args, input) => {
    const { code, stdout, stderr } = await run(args, input);
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr.trim()}`);
    return stdout;
  };
  const follow: Kubectl['follow'] = async (args) => {
    const child = spawn(...endingWithUs(await binary('kubectl'), args), {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        said += chunk;
      });
    }
    return { said: () => said, ended: once(child, 'close').then(() => said) };
  };
  return {
    run,
    must,
    follow,
    get: async (...args) => {
      const found = await must(['get', ...args, '--ignore-not-found', '-o', 'json']);
      return found === '' ? undefined : JSON.parse(found);
    },
  };
}
