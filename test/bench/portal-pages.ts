// Row P1: the portal's pages per second of the gateway's CPU, beside nginx with the same pages as files; and a tenant's list while a
// crawler reads 200 pages a second, beside a quiet one.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePorts } from '../support/free-ports.ts';
import type { Pair } from './measure.ts';
import { nginx } from './nginx.ts';
import { cpuMsOf, hammer } from './over-http.ts';
import { sized } from './stage.ts';
import { percentile } from './statistics.ts';
import { pairsOf, timesMs, Wire } from './wire.ts';

const PAIRS = 5;
const LISTS = sized(500);
const CRAWLED_PER_SECOND = 200;
const PAGE = '/en/computingCenter';
const LIST = '/api/develop/v1/instance?size=20';

export interface PortalPages {
  /** Pages for each second of CPU, ours beside nginx's. */
  readonly perCpuSecond: readonly Pair[];
  /** The 99th percentiles of a tenant's list, crawled beside quiet. */
  readonly listMs: readonly Pair[];
  /** Pages that the crawler was answered, of those that it asked for. */
  readonly crawled: { readonly asked: number; readonly answered: number };
}

export async function portalPages(): Promise<PortalPages> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-bench-'));
  const children: ChildProcess[] = [];
  try {
    const { child: ours, line } = await program('portal-server.ts');
    children.push(ours);
    const { url, consoleUrl, token } = JSON.parse(line) as { url: string; consoleUrl: string; token: string };
    const page = await fetch(`${url}${PAGE}`, { headers: { 'accept-encoding': 'identity' } });
    await mkdir(join(folder, 'pages/en'), { recursive: true });
    await writeFile(join(folder, `pages${PAGE}.html`), Buffer.from(await page.arrayBuffer()));
    // Answers at `/`, as the wait for it asks.
    await writeFile(join(folder, 'pages/index.html'), 'ok');
    const [port = 0] = await freePorts(1);
    const location = `location / { root ${folder}/pages; default_type text/html; try_files $uri $uri.html $uri/index.html; }`;
    const peer = await nginx(folder, 'files', port, location, '');
    children.push(peer.child);
    const pagesOf = async (pid: number, address: string) => {
      const before = await cpuMsOf(pid);
      const { total } = await hammer(`${address}${PAGE}`, 'accept=text/html');
      return (1_000 * total) / ((await cpuMsOf(pid)) - before);
    };
    const perCpuSecond = await pairsOf(PAIRS, {
      ours: () => pagesOf(ours.pid ?? 0, url),
      peer: () => pagesOf(peer.pid, `http://127.0.0.1:${port}`),
    });

    const tenant = new Wire(consoleUrl, { 'x-token': token });
    const list = async () => percentile(await timesMs(LISTS, () => tenant.ask({ path: LIST })), 0.99);
    const crawled = { asked: 0, answered: 0 };
    const listMs = await pairsOf(PAIRS, {
      ours: async () => {
        const { child, lines } = await program('crawler.ts', url, `${CRAWLED_PER_SECOND}`);
        const p99 = await list();
        child.kill('SIGTERM');
        const { asked, answered } = JSON.parse((await lines.next()).value ?? '{}');
        crawled.asked += asked;
        crawled.answered += answered;
        return p99;
      },
      peer: list,
    });
    tenant.close();
    return { perCpuSecond, listMs, crawled };
  } finally {
    for (const child of children) child.kill('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  }
}

/** A program of this folder, with the first line that it writes and those that follow. */
async function program(file: string, ...args: readonly string[]) {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value: line = '', done } = await lines.next();
  if (done === true) throw new Error(`${file} ended at once: ${JSON.stringify(await once(child, 'exit'))}`);
  return { child, line, lines };
}
