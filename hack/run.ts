// Runs a command to its end; a failure's message is the command and its output.
import { spawn } from 'node:child_process';

export interface RunOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** A network namespace's path, to run inside it. */
  readonly netnsPath?: string;
}

/** Resolves with standard output. */
export async function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const [file, argv] =
    options.netnsPath === undefined ? [command, args] : ['nsenter', [`--net=${options.netnsPath}`, command, ...args]];
  const child = spawn(file, argv, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...options.env },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  const output: Buffer[] = [];
  const complaint: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => complaint.push(chunk));
  // A command that ends without reading its input is not an error of ours.
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`${command}: ${error.message}`)));
    child.once('close', (code, signal) => {
      if (code === 0) return resolve(Buffer.concat(output).toString());
      const said = Buffer.concat(complaint).toString().trim() || Buffer.concat(output).toString().trim();
      reject(
        new Error(`${command} ${args.join(' ').slice(0, 200)}: ${said.slice(-2000) || `ended with ${code ?? signal}`}`),
      );
    });
  });
}

/** For questions whose "no" is a failing command. */
export async function succeeds(command: string, args: readonly string[], options: RunOptions = {}): Promise<boolean> {
  return run(command, args, options).then(
    () => true,
    () => false,
  );
}
