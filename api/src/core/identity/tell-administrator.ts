// Shows the one-time password of the first administrator, once: in a file that only we may read, or on standard error. It never
// enters logs, which are collected and stored.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

interface FirstAdministrator {
  name: string;
  password: string;
}

/** `file` '' stands for standard error. Of a file the first line is the name and the second the password. */
export async function tellAdministrator({ name, password }: FirstAdministrator, file: string): Promise<void> {
  if (file === '') {
    process.stderr.write(`administrator: ${name}, password, told this once: ${password}\n`);
    return;
  }
  await mkdir(dirname(file), { recursive: true });
  // Whole or not at all: somebody may be waiting for it.
  await writeFile(`${file}.new`, `${name}\n${password}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
