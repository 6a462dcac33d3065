// Row Q2: what the way through the gateway adds to a request for a published service, beside nginx with the same task, which logs its requests as the gateway does. Behind both is
// an nginx that answers at once, so that the way is what is measured.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePorts } from '../support/free-ports.ts';
import type { Pair } from './measure.ts';
import { nginx, proxyTo } from './nginx.ts';
import { cpuMsOf, hammer } from './over-http.ts';
import { sized } from './stage.ts';
import { percentile } from './statistics.ts';
import { pairsOf, timesMs, Wire } from './wire.ts';

const HOST = 'chat.acme.tenants.example';
const PAIRS = 5;
const SINGLE = sized(5_000);
/** Connections that are open, but not yet used, would be measured with their handshake. */
const WARM_UP = sized(2_000);

export interface Activator {
  /** Medians of one request after the other, over the gateway and straight to the replica. */
  readonly aloneMs: readonly Pair[];
  /** Requests for each second of the proxy's CPU, ours beside nginx's. */
  readonly perCpuSecond: readonly Pair[];
}

export async function activator(): Promise<Activator> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-bench-'));
  const children: ChildProcess[] = [];
  try {
    const [replica = 0, peer = 0] = await freePorts(2);
    const behind = await nginx(
      folder,
      'replica',
      replica,
      'location / { default_type text/plain; return 200 "ok\\n"; }',
      '',
    );
    children.push(behind.child);
    const front = await nginx(folder, 'proxy', peer, ...proxyTo(replica));
    children.push(front.child);
    const ours = spawn(
      process.execPath,
      [fileURLToPath(new URL('activator-server.ts', import.meta.url)), `${replica}`],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    children.push(ours);
    const [port] = (await once(createInterface({ input: ours.stdout }), 'line')) as [string];
    const urlOf = (at: number | string) => `http://127.0.0.1:${at}/`;
    const alone = async (at: number | string) => {
      const wire = new Wire(urlOf(at), { host: HOST });
      await timesMs(WARM_UP, () => wire.ask({ path: '/' }));
      const times = await timesMs(SINGLE, () => wire.ask({ path: '/' }));
      wire.close();
      return percentile(times, 0.5);
    };
    const loaded = async (pid: number, at: number | string) => {
      const before = await cpuMsOf(pid);
      const { total } = await hammer(urlOf(at), `host=${HOST}`);
      return (1_000 * total) / ((await cpuMsOf(pid)) - before);
    };
    const aloneMs = await pairsOf(PAIRS, { ours: () => alone(port), peer: () => alone(replica) });
    // The compilers of both runtimes have seen their work by then.
    const perCpuSecond = await pairsOf(PAIRS, {
      ours: () => loaded(ours.pid ?? 0, port),
      peer: () => loaded(front.pid, peer),
    });
    return { aloneMs, perCpuSecond };
  } finally {
    for (const child of children) child.kill('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  }
}
