// Python with packages of PyPI, in an environment that is kept beside the built binaries: only the first run waits for it.
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDir } from '../../hack/binaries.ts';
import { runCommand } from './command.ts';

/** Resolves with the program. Rejects with what pip says where they are not to be had. `name` tells versions apart. */
export async function pythonWith(name: string, packages: readonly string[]): Promise<string> {
  const folder = join(cacheDir, 'python', name);
  const program = join(folder, 'bin/python3');
  const isDone = join(folder, 'is-done');
  if (existsSync(isDone)) return program;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [command = '', ...args] of [
    ['python3', '-m', 'venv', folder],
    [program, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages],
  ]) {
    const { code, stdout, stderr } = await runCommand(command, args);
    if (code !== 0) throw new Error(`${name} cannot be installed: ${stdout}${stderr}`);
  }
  await writeFile(isDone, '');
  return program;
}
