// Writes every generated file of the repository: nobody else does, and nobody edits them.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generatedFiles } from './generated-files.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const files = generatedFiles();

for (const folder of new Set(Object.keys(files).map(dirname))) {
  const path = join(repository, folder);
  mkdirSync(path, { recursive: true });
  for (const name of readdirSync(path)) if (name.endsWith('.yaml')) rmSync(join(path, name));
}
for (const [file, text] of Object.entries(files)) writeFileSync(join(repository, file), text);
