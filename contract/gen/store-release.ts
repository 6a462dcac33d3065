// At a release: keeps a copy of the CRDs, with which `make verify` compares every later one.
import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const crds = fileURLToPath(new URL('../../crds/', import.meta.url));

rmSync(`${crds}released`, { recursive: true, force: true });
mkdirSync(`${crds}released`);
for (const file of readdirSync(crds))
  if (file.endsWith('.yaml')) copyFileSync(`${crds}${file}`, `${crds}released/${file}`);
