// Writes a configuration only when it differs: kube-proxy ends itself when its file is written again.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

export async function writeChanged(file: string, content: string, mode = 0o644): Promise<void> {
  if ((await readFile(file, 'utf8').catch(() => undefined)) === content) return;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.new`, content, { mode });
  await rename(`${file}.new`, file);
}
