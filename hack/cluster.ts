#!/usr/bin/env node
// The command line: up, down, status, env. What a cluster is made of is in steps.ts and layout.ts.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { binary, binaryDirs } from './binaries.ts';
import { type Layout, layout, MAX_NODES } from './layout.ts';
import { listProcesses, startTimeOf } from './process.ts';
import { runSteps } from './run-steps.ts';
import { say } from './say.ts';
import { steps } from './steps.ts';
import { teardown } from './teardown.ts';

const USAGE = `usage: cluster.ts up|down|status|env [--name gantry] [--nodes 1]

  up      starts what is missing        NODES     real nodes, 0 to ${MAX_NODES} (default 1)
  down    removes all of it             NAME      the cluster's name (default gantry); two run side by side
  status  tells what runs               KUBE_BIN_DIR  ready-made binaries; what is not there is built
  env     prints export lines           GANTRY_CACHE  where built binaries are kept (default ~/.cache/gantry)
`;

const commands: Record<string, (name: string, nodes: number | undefined) => Promise<void>> = { up, down, status, env };

async function up(name: string, nodes: number | undefined): Promise<void> {
  const cluster = layout(name, nodes ?? (await noteOfNodes(name)) ?? 1);
  await mkdir(cluster.dir, { recursive: true });
  await holdLock(cluster);
  await writeFile(nodesFile(cluster), String(cluster.nodes.length));
  // Starts the builds, if any: the steps that need no binary go on meanwhile.
  const kubectl = binary('kubectl');
  await Promise.all([runSteps(cluster, steps), kubectl]);
  say(`cluster ${name} is up: KUBECONFIG=${cluster.kubeconfig}`);
}

async function down(name: string): Promise<void> {
  const started = performance.now();
  // Every node there could be: the one who called `up` may have been killed before it noted their number.
  await teardown(layout(name, MAX_NODES));
  say(`cluster ${name} is gone`, started);
}

async function status(name: string): Promise<void> {
  const processes = await listProcesses(layout(name));
  if (processes.length === 0) return console.log(`cluster ${name}: nothing runs`);
  for (const { name: process, pid, alive } of processes) {
    console.log(`${alive ? 'runs' : 'DEAD'}  ${String(pid).padStart(7)}  ${process}`);
  }
  if (processes.some(({ alive }) => !alive)) process.exitCode = 1;
}

async function env(name: string): Promise<void> {
  const { kubeconfig, apiServer, registry } = layout(name);
  const lines = {
    KUBECONFIG: kubeconfig,
    PATH: `${binaryDirs().join(':')}:$PATH`,
    GANTRY_API_SERVER: apiServer,
    GANTRY_REGISTRY: registry.address,
  };
  for (const [key, value] of Object.entries(lines)) console.log(`export ${key}="${value}"`);
}

const nodesFile = ({ dir }: Layout) => `${dir}/nodes`;

/** The number of nodes it was started with. */
async function noteOfNodes(name: string): Promise<number | undefined> {
  const note = await readFile(nodesFile(layout(name)), 'utf8').catch(() => '');
  return note === '' ? undefined : Number(note);
}

/** Two `up` of one name would do each other's half: the second is refused. A dead holder's lock counts for nothing. */
async function holdLock({ dir, name }: Layout): Promise<void> {
  const file = `${dir}/up.lock`;
  const [pid, startTime] = (await readFile(file, 'utf8').catch(() => '')).split(' ');
  if (pid && Number(pid) !== process.pid && (await startTimeOf(Number(pid))) === startTime) {
    throw new Error(`another \`up\` of ${name} is at work (pid ${pid})`);
  }
  await writeFile(file, `${process.pid} ${await startTimeOf(process.pid)}`);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    name: { type: 'string', default: process.env.NAME || 'gantry' },
    nodes: { type: 'string', default: process.env.NODES || '' },
    help: { type: 'boolean', default: false },
  },
});
const command = commands[positionals[0] ?? ''];
if (!command || values.help) {
  console.log(USAGE);
  process.exitCode = values.help ? 0 : 2;
} else {
  await command(values.name, values.nodes === '' ? undefined : Number(values.nodes)).catch((error: Error) => {
    console.error(`\n${positionals[0]} failed: ${error.message}`);
    // Steps that began beside the failed one are not worth waiting for.
    process.exit(1);
  });
}
