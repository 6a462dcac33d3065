// The contract's tables as browsers get them: the build, and tests of pages, evaluate the module and run with the result, without the
// schemas that it follows from.
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const MODULE = new URL('../contract/src/http/admin-tables.ts', import.meta.url);

async function evaluated(): Promise<string> {
  const { ADMIN_TABLES } = (await import(MODULE.href)) as { ADMIN_TABLES: object };
  return `export const ADMIN_TABLES = ${JSON.stringify(ADMIN_TABLES)};`;
}

let code: string;

export const evaluatedTables = {
  name: 'evaluated-tables',
  // Before anything is loaded, so that a build without the module fails.
  async buildStart() {
    code = await evaluated();
  },
  load: (id: string) => (id === fileURLToPath(MODULE) ? code : null),
} satisfies Plugin;

/** For Jest: `transform` names this file. */
// biome-ignore lint/style/noDefaultExport: Jest wants it
export default {
  getCacheKeyAsync: async () =>
    createHash('sha256')
      .update(await evaluated())
      .digest('hex'),
  processAsync: async () => ({ code: await evaluated() }),
};
