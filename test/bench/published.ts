// Row Q2: what the way through the gateway adds to a request for a published service, beside nginx with the same task, which logs its requests as the gateway does. Behind both is
// an nginx that answers at once, so that the way is what is measured.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '../faults/wait-until.ts';
import { freePorts } from '../support/free-ports.ts';
import type { Pair } from './measure.ts';
import { cpuMsOf, hammer } from './over-http.ts';
import { sized } from './stage.ts';
import { percentile } from './statistics.ts';
import { pairsOf, timesMs, Wire } from './wire.ts';

const NGINX = '/usr/sbin/nginx';
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
    const front = await nginx(
      folder,
      'proxy',
      peer,
      `location / {
        proxy_pass http://replica;
        proxy_http_version 1.1;
        proxy_buffering off;
        proxy_request_buffering off;
        proxy_set_header Connection "";
        proxy_set_header Host $host;
        proxy_set_header X-Forwarded-For $remote_addr;
        proxy_set_header X-Forwarded-Proto $scheme;
        proxy_set_header X-Forwarded-Host $host;
      }`,
      `upstream replica { server 127.0.0.1:${replica}; keepalive 256; keepalive_requests 1000000; }`,
    );
    children.push(front.child);
    const ours = spawn(
      process.execPath,
      [fileURLToPath(new URL('published-server.ts', import.meta.url)), `${replica}`],
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

/** One process, as one gateway is: master and worker in one. */
async function nginx(folder: string, name: string, port: number, location: string, upstream: string) {
  const file = join(folder, `${name}.conf`);
  const pidFile = join(folder, `${name}.pid`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${name}-${kind};`,
  );
  await writeFile(
    file,
    `daemon off; master_process off; pid ${pidFile}; error_log ${folder}/${name}.log;
     events { worker_connections 1024; }
     http { access_log ${name === 'proxy' ? `${folder}/access.log combined buffer=64k` : 'off'}; keepalive_requests 1000000; ${temporary.join(' ')} ${upstream}
       server { listen 127.0.0.1:${port}; ${location} } }`,
  );
  const child = spawn(NGINX, ['-c', file, '-e', `${folder}/${name}.log`], { stdio: ['ignore', 'inherit', 'inherit'] });
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      ({ ok }) => ok,
      () => false,
    );
  await waitUntil(`nginx ${name} answers`, isUp, { limitMs: 10_000, context: () => `see ${folder}/${name}.log` });
  return { child, pid: Number(await readFile(pidFile, 'utf8')) };
}
