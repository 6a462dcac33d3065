// Rows C1 to C4: the gateway beside the API server and beside Express alone, both in the same run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { API_VERSION } from '@gantry/contract/define-kind.ts';
import { KIND_ROUTES } from '@gantry/contract/http/kind-routes.ts';
import { dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { targetOf } from '@gantry/kube/resource.ts';
import { runCommand } from '../support/command.ts';
import { withDiskScene } from './disk-scene.ts';
import { INSTANCE_PATH, INSTANCES, LISTED, manifest, scene } from './gateway-scene.ts';
import type { Pair } from './measure.ts';
import { type Stage, sized } from './stage.ts';
import { percentile } from './statistics.ts';
import { pairsOf, timesMs } from './wire.ts';

const PAIRS = 5;
const LISTS = sized(100);
const CREATES = sized(60);
const LOOKS = sized(200);
const READS = sized(5000);
const SECONDS = 4;
const CONNECTIONS = 16;
const p99 = (times: readonly number[]) => percentile(times, 0.99);

/** The 99th percentile of a turn, in ms. */
export async function listing(stage: Stage): Promise<readonly Pair[]> {
  const { ours, peer, namespace } = await scene(stage);
  const collection = `/apis/gantry.dev/v1alpha1/namespaces/${namespace}/gpuinstances`;
  const turn = async (once: () => Promise<unknown>) => p99(await timesMs(LISTS, once));
  return pairsOf(PAIRS, {
    ours: () => turn(() => ours.ask({ path: `${INSTANCE_PATH}?size=${LISTED}` })),
    peer: () => turn(() => peer.ask({ path: `${collection}?limit=${LISTED}` })),
  });
}

export interface HotGet {
  readonly perSecond: readonly Pair[];
  readonly cpuMs: readonly Pair[];
}

/** Requests a second, and CPU of the process that answers for each. */
export async function hotGet(stage: Stage): Promise<HotGet> {
  const { ours, gateway, person } = await scene(stage);
  const path = `${INSTANCE_PATH}/listed-0`;
  const { body } = await ours.ask({ path });
  const program = fileURLToPath(new URL('hello-express.ts', import.meta.url));
  const hello = spawn(process.execPath, [program, `${body.length}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [port] = await once(createInterface({ input: hello.stdout }), 'line');
    const cpuMs: { ours: number; peer: number }[] = Array.from({ length: PAIRS }, () => ({ ours: 0, peer: 0 }));
    const turn = (who: keyof Pair, pid: number, url: string, token: string) => async (pair: number) => {
      const before = await cpuMsOf(pid);
      const { perSecond, total } = await hammer(url, `x-token=${token}`);
      const spent = cpuMs[pair];
      if (spent) spent[who] = ((await cpuMsOf(pid)) - before) / total;
      return perSecond;
    };
    const token = person.client.token ?? '';
    const perSecond = await pairsOf(PAIRS, {
      ours: turn('ours', gateway.pid() ?? 0, `${gateway.url}${path}`, token),
      peer: turn('peer', hello.pid ?? 0, `http://127.0.0.1:${port}/`, token),
    });
    return { perSecond, cpuMs };
  } finally {
    hello.kill('SIGKILL');
  }
}

/** `header` as `name=value`. Throws unless every answer is a success. */
export async function hammer(url: string, header: string): Promise<{ perSecond: number; total: number }> {
  const args = ['-c', `${CONNECTIONS}`, '-d', `${SECONDS}`, '-H', header, '--json', '--no-progress', url];
  const { stdout } = await runCommand(process.execPath, [fileURLToPath(import.meta.resolve('autocannon')), ...args]);
  const { requests, non2xx, errors } = JSON.parse(stdout);
  if (non2xx > 0 || errors > 0) throw new Error(`${url}: ${non2xx} refusals, ${errors} errors`);
  return { perSecond: requests.average, total: requests.total };
}

/** User and kernel time, since the process started. The kernel counts in hundredths of a second. */
export async function cpuMsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The gateway's CPU for a hot GET and, as the peer, for a HEAD of the same, which goes through Express; in ms. */
export async function pastExpress(stage: Stage): Promise<readonly Pair[]> {
  const { ours, gateway } = await scene(stage);
  const turn = (method: 'GET' | 'HEAD') => async () => {
    const before = await cpuMsOf(gateway.pid() ?? 0);
    await timesMs(READS, () => ours.ask({ method, path: `${INSTANCE_PATH}/listed-0` }));
    return ((await cpuMsOf(gateway.pid() ?? 0)) - before) / READS;
  };
  return pairsOf(PAIRS, { ours: turn('GET'), peer: turn('HEAD') });
}

/** The 99th percentile of a turn, in ms. */
export async function creating(stage: Stage): Promise<readonly Pair[]> {
  const { ours, peer, namespace, person } = await scene(stage);
  const collection = `/apis/gantry.dev/v1alpha1/namespaces/${namespace}/gpuinstances`;
  const turn = async (once: (index: number) => Promise<unknown>) => p99(await timesMs(CREATES, once));
  return pairsOf(PAIRS, {
    ours: (pair) =>
      turn((index) => {
        const { spec: body } = manifest(namespace, `ours-${pair}-${index}`);
        return ours.ask({ method: 'POST', path: `/api${KIND_ROUTES.gpuInstance.create.path}`, body });
      }),
    peer: (pair) =>
      turn((index) => {
        const object = manifest(namespace, `peer-${pair}-${index}`);
        // A field that the gateway fills in: at the API server every client writes it.
        const body = { ...object, spec: { ...object.spec, creator: person.accountId } };
        return peer.ask({ method: 'POST', path: collection, body });
      }),
  });
}

/** The same of a data disk, where the gateway asks first whether its credit suffices. */
export async function creatingDisks(stage: Stage): Promise<readonly Pair[]> {
  return withDiskScene(stage, async ({ ours, peer, namespace, person }) => {
    const path = `/api${KIND_ROUTES.dataDisk.create.path}`;
    const collection = `/apis/gantry.dev/v1alpha1/namespaces/${namespace}/datadisks`;
    const turn = async (once: (index: number) => Promise<unknown>) => p99(await timesMs(CREATES, once));
    return pairsOf(PAIRS, {
      ours: (pair) =>
        turn((index) => ours.ask({ method: 'POST', path, body: { displayName: `ours_${pair}_${index}`, sizeGi: 1 } })),
      peer: (pair) =>
        turn((index) => {
          const metadata = { namespace, name: `peer-${pair}-${index}` };
          const spec = { displayName: `peer_${pair}_${index}`, sizeGi: 1, creator: person.accountId };
          const body = { apiVersion: API_VERSION, kind: dataDisk.kind, metadata, spec };
          return peer.ask({ method: 'POST', path: collection, body });
        }),
    });
  });
}

export interface Freshness {
  /** Reads that did not have what their writer had been answered. */
  readonly missed: number;
  /** From the API server's answer to a write of somebody else until the gateway's answers have it. */
  readonly lagMs: readonly number[];
}

export async function freshness(stage: Stage): Promise<Freshness> {
  const { ours, admin, namespace } = await scene(stage);
  const path = `${INSTANCE_PATH}/listed-1`;
  const nameNow = async (headers: Record<string, string> = {}) =>
    JSON.parse((await ours.ask({ path, headers })).body.toString('utf8')).result.name;
  let missed = 0;
  for (let look = 0; look < LOOKS; look++) {
    const displayName = `own_${look}`;
    const { headers } = await ours.ask({ method: 'PUT', path, body: { displayName } });
    if ((await nameNow({ 'x-gantry-version': `${headers['x-gantry-version']}` })) !== displayName) missed += 1;
  }
  const target = targetOf(await admin.get(INSTANCES, namespace, 'listed-1'));
  const lagMs: number[] = [];
  for (let look = 0; look < LOOKS; look++) {
    const displayName = `other_${look}`;
    await admin.mergePatch(INSTANCES, { ...target, body: { spec: { displayName } } });
    const since = performance.now();
    while ((await nameNow()) !== displayName);
    lagMs.push(performance.now() - since);
  }
  return { missed, lagMs };
}
