// A person with OpenSSH's own client: with their own key, configuration and known hosts.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../../hack/run.ts';
import { type Ended, runCommand } from '../support/command.ts';

/** A refusal comes at once; nothing here may block a test. */
const LIMIT_MS = 30_000;

export interface Held {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

export class SshClient {
  readonly publicKey: string;
  readonly folder: string;

  private constructor(folder: string, publicKey: string) {
    this.folder = folder;
    this.publicKey = publicKey;
  }

  /** The host `door` of its configuration is the jump host; the door's own key is believed the first time only. */
  static async make(folder: string, door: string): Promise<SshClient> {
    await mkdir(folder);
    const key = join(folder, 'key');
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'a "remark"', '-f', key]);
    const [host, port] = door.split(':');
    const config = [
      'Host door',
      `  HostName ${host}`,
      `  Port ${port}`,
      '  User gantry',
      'Host *',
      '  BatchMode yes',
      '  IdentitiesOnly yes',
      `  IdentityFile ${key}`,
      `  UserKnownHostsFile ${folder}/known_hosts`,
      '  StrictHostKeyChecking accept-new',
      '  LogLevel ERROR',
    ];
    await writeFile(join(folder, 'config'), `${config.join('\n')}\n`);
    return new SshClient(folder, (await readFile(`${key}.pub`, 'utf8')).trim());
  }

  /** `ssh`, `scp`, `sftp`: each reads the same configuration; `inside` is a network namespace to come from. */
  command(program: string, args: readonly string[], inside?: string): [string, string[]] {
    const command = [program, '-F', join(this.folder, 'config'), ...args];
    return inside ? ['nsenter', [`--net=${inside}`, ...command]] : [program, command.slice(1)];
  }

  run(program: string, args: readonly string[], more: { input?: string; inside?: string } = {}): Promise<Ended> {
    const [file, argv] = this.command(program, args, more.inside);
    return runCommand(file, argv, { limitMs: LIMIT_MS, ...(more.input === undefined ? {} : { input: more.input }) });
  }

  /** Standard output; throws with what the program complained of. */
  async must(program: string, args: readonly string[], input?: string): Promise<string> {
    const { code, stdout, stderr } = await this.run(program, args, input === undefined ? {} : { input });
    if (code !== 0) throw new Error(`${program} ${args.join(' ')}: ended with ${code}\n${stderr}`);
    return stdout.trim();
  }

  /** A client that stays connected; `said` is its first output, which proves that it is logged in. */
  async hold(args: readonly string[]): Promise<Held> {
    const [file, argv] = this.command('ssh', args);
    const child = spawn(file, argv, { stdio: ['ignore', 'pipe', 'pipe'] });
    const text = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (chunk: string) => {
        text[name] += chunk;
      });
    }
    const ended = once(child, 'close').then(([code]) => ({ code: code ?? 128, ...text }));
    const first = await Promise.race([once(child.stdout, 'data'), ended]);
    if ('code' in first) throw new Error(`ssh ${args.join(' ')}: ended with ${first.code}\n${first.stderr}`);
    return { child, ended };
  }
}
