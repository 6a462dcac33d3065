// Row G1 for the operators' console: the scripts of its first route, beside those of react-admin's simple app, both built by the same
// bundler with the same compression and counted in a browser from the network.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { build } from 'vite';
import { compression } from 'vite-plugin-compression2';
import { builtAdmin } from '../../hack/web-apps.ts';
import { CHROMIUM } from '../web/visitor.ts';
import { scriptBytes } from '../web/weight.ts';
import { openAppScene } from './admin-scene.ts';

export interface AdminRoute {
  readonly ours: number;
  readonly peer: number;
}

export async function adminRoute(): Promise<AdminRoute> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-react-admin-'));
  const browser = await chromium.launch(CHROMIUM);
  try {
    await build({
      root: fileURLToPath(new URL('react-admin-simple', import.meta.url)),
      logLevel: 'error',
      define: { 'process.env.NODE_ENV': '"production"' },
      build: { outDir: folder, emptyOutDir: true },
      plugins: [compression({ algorithms: ['brotliCompress'], include: /\.js$/, threshold: 512 })],
    });
    const weigh = async (app: string) => {
      const served = await openAppScene(app);
      try {
        return await scriptBytes(await browser.newPage({ baseURL: served.url }), '/login');
      } finally {
        await served.close();
      }
    };
    return { ours: await weigh(await builtAdmin()), peer: await weigh(folder) };
  } finally {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  }
}
