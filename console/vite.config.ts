// How the console is built: into files that the gateway serves as they are. And how it is served while one works on it:
// /api goes to the gateway that GANTRY_API names.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { compression } from 'vite-plugin-compression2';
import { firstWordsPlugin } from './first-words.ts';

const gateway = new URL(process.env.GANTRY_API ?? 'http://localhost:21011/api').origin;
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** node-polyglot asks for a shim of `Object.entries`, which weighs more than the words of a language; every browser has the real one. */
const nativeEntries: Plugin = {
  name: 'native-entries',
  enforce: 'pre',
  resolveId: (id) => (id === 'object.entries' ? '\0native-entries' : null),
  load: (id) => (id === '\0native-entries' ? 'module.exports = Object.entries;' : null),
};

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Compared with what /version.json says: whether the page is older than the gateway.
  define: { GANTRY_VERSION: JSON.stringify(version) },
  build: {
    // Pictures stay files: a browser that shows none loads none.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // For browsers without modulepreload, in which nothing else here works either.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Each without the modules of those before it. Without this the bundler makes 45 files for the login page, and 94 for a
          // list.
          groups: [
            { name: 'start', test: /src\/start\.ts$|vite\/preload-helper/ },
            { name: 'program', test: /src\/main\.tsx$/ },
            { name: 'login', test: /areas\/entry\/login-page\.tsx$/ },
            { name: 'frame', test: /shell\/(signed-in|shell)\.tsx$|areas\/[\w-]+\/menus\.ts$/ },
          ],
        },
      },
      // Packages mark what servers may not render; here all is for browsers.
      onLog: (level, log, tell) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') tell(level, log);
      },
    },
  },
  // The gateway serves compressed files that exist, and compresses nothing itself.
  plugins: [
    nativeEntries,
    firstWordsPlugin,
    compression({ algorithms: ['brotliCompress', 'gzip'], include: /\.(html|js|css|svg|json)$/, threshold: 512 }),
  ],
  server: {
    proxy: {
      // A terminal is opened to the console's own origin alone.
      '/api': { target: gateway, ws: true, changeOrigin: true, headers: { Origin: gateway } },
      '/version.json': { target: gateway, changeOrigin: true },
    },
  },
});
