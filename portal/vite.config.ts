// How the portal is built, twice: files for browsers, and one module by which the gateway renders pages on a thread. The second run
// names the files of the first, whose output lies beside its own.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { compression } from 'vite-plugin-compression2';

const CLIENT_FILES = fileURLToPath(new URL('src/client-files.ts', import.meta.url));

/** What the client consists of, for the server alone. */
function clientFiles(): Plugin {
  let outDir = '';
  return {
    name: 'client-files',
    configResolved: (config) => {
      outDir = config.build.outDir;
    },
    load: (id) =>
      id === CLIENT_FILES
        ? `export const manifest = ${readFileSync(join(outDir, '../client/.vite/manifest.json'), 'utf8')};`
        : null,
  };
}

/** node-polyglot asks for a shim of `Object.entries`; every browser has the real one. */
const nativeEntries: Plugin = {
  name: 'native-entries',
  enforce: 'pre',
  resolveId: (id) => (id === 'object.entries' ? '\0native-entries' : null),
  load: (id) => (id === '\0native-entries' ? 'module.exports = Object.entries;' : null),
};

export default defineConfig(({ isSsrBuild }) => ({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Parts that only the server renders are left out of the client: `parts/kept.tsx`.
  define: isSsrBuild ? { 'typeof window': '"undefined"' } : { 'typeof window': '"object"' },
  // The gateway's image has none of the packages.
  ssr: { noExternal: true },
  build: {
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    copyPublicDir: !isSsrBuild,
    manifest: !isSsrBuild,
    rolldownOptions: {
      ...(isSsrBuild
        ? {}
        : { input: ['src/client.tsx', 'src/still.ts'].map((file) => fileURLToPath(new URL(file, import.meta.url))) }),
      // Packages mark what servers may not render; these two sides are ours.
      onLog: (level, log, tell) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') tell(level, log);
      },
    },
  },
  // The gateway serves compressed files that exist, and compresses nothing of these itself.
  plugins: [
    nativeEntries,
    isSsrBuild
      ? clientFiles()
      : compression({ algorithms: ['brotliCompress', 'gzip'], include: /\.(js|css|svg)$/, threshold: 512 }),
  ],
}));
