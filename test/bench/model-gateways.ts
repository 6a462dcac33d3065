// Row H1: what the gateway's /v1 adds to a streamed answer, and what that costs in CPU, beside nginx, sglang-router and LiteLLM. All of
// them stand in turn before the same engine, and fifty clients listen at once.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '../faults/wait-until.ts';
import { freePorts } from '../support/free-ports.ts';
import { pythonWith } from '../support/python-with.ts';
import type { Pair } from './measure.ts';
import { nginx, proxyTo } from './nginx.ts';
import { cpuMsOf } from './over-http.ts';
import { sized } from './stage.ts';
import { percentile } from './statistics.ts';
import { PIECES } from './stream-facts.ts';
import { pairsOf } from './wire.ts';

const PAIRS = 5;
const CLIENTS = 50;
const REQUESTS = sized(1_500);
/** Python's takes a hundred times longer. */
const FEWER = sized(300);
const STARTS_WITHIN_MS = 60_000;

interface Proxy {
  port: number;
  pid: number;
}

export interface ModelGateways {
  /** Medians of the time to the first piece, over the gateway and straight to the engine. */
  readonly firstMs: readonly Pair[];
  /** The same of each peer that is quick enough to be asked as often, in the place of the gateway. */
  readonly firstMsOfPeers: Readonly<Record<string, readonly Pair[]>>;
  /** Streams for each second of the proxy's CPU, ours beside each peer that could be had. */
  readonly perCpuSecond: Readonly<Record<string, readonly Pair[]>>;
}

export async function modelGateways(): Promise<ModelGateways> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-bench-'));
  const children: ChildProcess[] = [];
  const begin = (...[program, args, env]: [string, readonly string[], object?]) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } });
    children.push(child);
    return child;
  };
  const ownOf = async (program: URL, ...args: string[]): Promise<Proxy> => {
    const child = begin(process.execPath, [fileURLToPath(program), ...args]);
    const [port] = await once(createInterface({ input: child.stdout }), 'line');
    return { port: Number(port), pid: child.pid ?? 0 };
  };
  try {
    const engine = await ownOf(new URL('stream-engine.ts', import.meta.url));
    const ours = await ownOf(new URL('completions-server.ts', import.meta.url), `${engine.port}`);
    const peers: Record<string, Proxy> = {};
    const [front = 0, router = 0, litellm = 0] = await freePorts(3);
    const proxy = await nginx(folder, 'proxy', front, ...proxyTo(engine.port));
    children.push(proxy.child);
    peers.nginx = { port: front, pid: proxy.pid };
    const python = async (name: string, packages: readonly string[], port: number, args: readonly string[]) => {
      const program = await pythonWith(name, packages).catch((error: unknown) => {
        console.error(`${name} is left out:`, `${error}`.slice(0, 500));
        return undefined;
      });
      if (program === undefined) return;
      // It checks no key, which spares it work.
      const env = {
        LITELLM_LOCAL_MODEL_COST_MAP: 'True',
        LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY: 'true',
      };
      const child = begin(program, args, env);
      child.stdout.resume();
      await waitUntil(`${name} answers`, () => stream(port).then(() => true), { limitMs: STARTS_WITHIN_MS });
      peers[name] = { port, pid: child.pid ?? 0 };
    };
    const at = ['--host', '127.0.0.1', '--port'];
    const worker = `http://127.0.0.1:${engine.port}`;
    await python('sglang-router', ['sglang-router==0.3.2'], router, [
      ...['-m', 'sglang_router.launch_router', '--worker-urls', worker, ...at, `${router}`],
      ...['--policy', 'round_robin', '--prometheus-port', `${(await freePorts(1))[0]}`],
    ]);
    const config = join(folder, 'litellm.json');
    const params = { model: 'openai/tiny', api_base: `${worker}/v1`, api_key: 'none' };
    await writeFile(config, JSON.stringify({ model_list: [{ model_name: 'tiny', litellm_params: params }] }));
    await python('LiteLLM', ['litellm[proxy]==1.106.2'], litellm, [
      ...['-c', 'from litellm import run_server; run_server()', '--config', config, ...at, `${litellm}`],
    ]);

    const firsts = async ({ port }: { port: number }) => percentile(await streams(port, REQUESTS), 0.5);
    const perCpuSecond = async ({ port, pid }: Proxy, count: number) => {
      const before = await cpuMsOf(pid);
      await streams(port, count);
      return (1_000 * count) / ((await cpuMsOf(pid)) - before);
    };
    // Compilers have seen their work by then.
    for (const one of [engine, ours, ...Object.values(peers)]) await streams(one.port, FEWER);
    const found: Record<string, readonly Pair[]> = {};
    const firstMs = await pairsOf(PAIRS, { ours: () => firsts(ours), peer: () => firsts(engine) });
    const firstMsOfPeers: Record<string, readonly Pair[]> = {};
    for (const [name, peer] of Object.entries(peers))
      if (name !== 'LiteLLM')
        firstMsOfPeers[name] = await pairsOf(PAIRS, { ours: () => firsts(peer), peer: () => firsts(engine) });
    for (const [name, peer] of Object.entries(peers))
      found[name] = await pairsOf(PAIRS, {
        ours: () => perCpuSecond(ours, REQUESTS),
        peer: () => perCpuSecond(peer, name === 'LiteLLM' ? FEWER : REQUESTS),
      });
    return { firstMs, firstMsOfPeers, perCpuSecond: found };
  } finally {
    for (const child of children) child.kill('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  }
}

const BODY = JSON.stringify({ model: 'tiny', stream: true, messages: [{ role: 'user', content: 'What is the sea?' }] });
const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });

/** So many answers, fifty at once. Resolves with how long each first piece took. */
async function streams(port: number, count: number): Promise<number[]> {
  const times: number[] = [];
  let begun = 0;
  const client = async () => {
    while (begun++ < count) times.push(await stream(port));
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return times;
}

/** Throws unless all of it has come. */
function stream(port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const began = performance.now();
  const headers = {
    'content-type': 'application/json',
    'content-length': BODY.length,
    authorization: 'Bearer bench',
    accept: 'text/event-stream',
  };
  request({ host: '127.0.0.1', port, path: '/v1/chat/completions', method: 'POST', agent, headers }, (res) => {
    let first: number | undefined;
    let text = '';
    res.setEncoding('utf8').on('data', (part: string) => {
      first ??= performance.now() - began;
      text += part;
    });
    res.once('error', reject).once('end', () => {
      const pieces = text.split('" word"').length - 1;
      if (pieces === PIECES && text.includes('[DONE]')) resolve(first ?? 0);
      else reject(new Error(`${res.statusCode}: ${pieces} pieces in ${text.slice(0, 300)}`));
    });
  })
    .once('error', reject)
    .end(BODY);
  return promise;
}
