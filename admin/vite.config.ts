// How the operators' console is built: into files that the gateway serves as they are. And how it is served while one works on
// it: /api goes to the gateway that GANTRY_API names.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { compression } from 'vite-plugin-compression2';
import { evaluatedTables } from './evaluated-tables.ts';

const gateway = new URL(process.env.GANTRY_API ?? 'http://localhost:21011/api').origin;
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Compared with what /version.json says: whether the page is older than the gateway.
  define: { GANTRY_VERSION: JSON.stringify(version) },
  build: {
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // A language's words are one file, and so is everything that only signed-in staff need.
          groups: [
            { name: 'words-en', test: /src\/words\/en\/(?!login)|contract\/src\/words\/en\// },
            { name: 'words-zh', test: /src\/words\/zh\/(?!login)|contract\/src\/words\/zh\/|react-admin-chinese/ },
            { name: 'words-ja', test: /src\/words\/ja\/(?!login)|contract\/src\/words\/ja\// },
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
    evaluatedTables,
    compression({ algorithms: ['brotliCompress', 'gzip'], include: /\.(html|js|css|svg|json)$/, threshold: 512 }),
  ],
  server: {
    proxy: {
      '/api': { target: gateway, changeOrigin: true, headers: { Origin: gateway } },
      '/version.json': { target: gateway, changeOrigin: true },
    },
  },
});
