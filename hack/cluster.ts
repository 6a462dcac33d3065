// The command line: up, down, status, env, books, doctor. What a cluster is made of is in steps.ts and layout.ts.
import { readFile, rm, rmdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { binary, binaryDirs } from './binaries.ts';
import { platformLogin } from './crane.ts';
import {
  adminUrl,
  apiUrl,
  checkCluster,
  consoleUrl,
  paymentsDir,
  paymentsUrl,
  portalUrl,
  proveBooks,
  takeAdministrator,
} from './gateway.ts';
import { checkClusterOfPod, firstPassword, proveBooksOfPod } from './helm/install-chart.ts';
import { beginTrainer, stateOfTrainer } from './images/trainer.ts';
import { deleteKindCluster } from './kind-cluster.ts';
import { type Layout, layout, MAX_NODES, tenantWeb } from './layout.ts';
import { findProcess, listProcesses, registerSelf, unregisterSelf } from './process.ts';
import { Refused } from './refused.ts';
import { runSteps } from './run-steps.ts';
import { say } from './say.ts';
import { sshDoor } from './ssh-door.ts';
import { INSTALLS, type Install, ORIGINS, type Origin, steps } from './steps.ts';
import { teardown } from './teardown.ts';
import { writeChanged } from './write-changed.ts';

const USAGE = `usage: cluster.ts up|down|status|env|books|doctor [--name NAME] [--nodes NODES] [--cluster CLUSTER] [--install INSTALL] [--without STEP]…

  up      starts what is missing          NAME     default gantry; clusters of two names run side by side
  down    removes all of it               NODES    real nodes, 0 to ${MAX_NODES}; default 1, then what it was
  status  tells what runs                 CLUSTER  ${ORIGINS.join(', ')}; default bare, then what it was
  env     prints export lines             INSTALL  ${INSTALLS.join(', ')}; default processes, then what it was
                                          all four may come from the environment, too
  books   proves the gateway's books      STEP     left out of up: tests bring an operator and a gateway of their own
  doctor  checks what the platform needs

  KUBE_BIN_DIR  ready-made binaries; what is not in it is built
  METRICS       all: kube-state-metrics, too, which is built for it
  LWS           on: LeaderWorkerSet, too, which is built for it: models over several nodes
  GANTRY_CACHE  where built binaries are kept; default ~/.cache/gantry
`;

/** The options with which a cluster was started, so that the next command needs none. */
interface Note {
  readonly nodes: number;
  readonly origin: Origin;
  readonly install: Install;
  /** A restarted machine has lost the half of a cluster that was in memory; the other half is worth nothing. */
  readonly bootId: string;
}

interface Wish {
  readonly name: string;
  readonly nodes: number | undefined;
  readonly origin: Origin | undefined;
  readonly install: Install | undefined;
  /** Names of optional steps to skip. */
  readonly without: readonly string[];
}

/** Like a step, for `--without`; it begins once the cluster is up. */
const TRAINER_STEP = 'trainer image';

const commands: Record<string, (wish: Wish) => Promise<void>> = { up, down, status, env, books, doctor };

async function up(wish: Wish): Promise<void> {
  const bootId = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
  let noted = await readNote(wish.name);
  if (noted?.origin === 'bare' && noted.bootId !== bootId) {
    say(`the machine was restarted since ${wish.name} was started`);
    await down(wish);
    noted = undefined;
  }
  const nodes = wish.nodes ?? noted?.nodes ?? 1;
  const note: Note = {
    nodes,
    origin: wish.origin ?? noted?.origin ?? 'bare',
    install: wish.install ?? noted?.install ?? 'processes',
    bootId,
  };
  if (noted && describe(noted) !== describe(note)) {
    throw new Error(
      `${wish.name} was started with ${describe(noted)}, not ${describe(note)}; \`make down\` comes first`,
    );
  }
  const cluster = layout(wish.name, note.nodes);
  if (note.install === 'helm' && (note.origin !== 'bare' || nodes === 0)) {
    throw new Error(
      'INSTALL=helm is for a cluster on this machine with real nodes; on one of your own, use helm: charts/gantry/README.md',
    );
  }
  if (note.origin === 'bare' && process.getuid?.() !== 0) throw new Error('a cluster on this machine needs root');
  await registerSelf(cluster, 'up');
  await writeChanged(noteFile(wish.name), JSON.stringify(note));
  // Code that needs a binary waits for that one; asking for kubectl starts all builds now.
  const wanted = steps
    .filter(({ name }) => !wish.without.includes(name))
    .map((step) => ({ ...step, after: step.after.filter((name) => !wish.without.includes(name)) }));
  await Promise.all([binary('kubectl'), runSteps(cluster, note, wanted)]).catch(async (error: Error) => {
    if (error.cause instanceof Refused && !noted) await forget(cluster);
    throw error;
  });
  await unregisterSelf(cluster, 'up');
  const hasGateway = await findProcess(cluster, 'gateway');
  if (hasGateway) await sayWhereToBegin(cluster, note);
  say(`cluster ${wish.name} is up: KUBECONFIG=${cluster.kubeconfig}`);
  const door = note.origin === 'bare' ? sshDoor(cluster) : undefined;
  if (door) say(`SSH door: ${door}`);
  if (hasGateway) {
    say(`gateway: ${apiUrl(cluster)}, its mails: ${cluster.mailDir}`);
    say('payments: TEST MODE, no money moves; card 4242 4242 4242 4242 pays');
  }
  await bringTrainer(cluster, note, wish);
}

/** Neither waits for it nor fails with it. */
async function bringTrainer(cluster: Layout, { origin, nodes }: Note, { without }: Wish): Promise<void> {
  if (origin !== 'bare' || nodes === 0 || without.includes(TRAINER_STEP)) return;
  await beginTrainer(cluster).then(
    () => say('trainer image: it comes by itself; `make status` says whether it is there'),
    (error: Error) => say(`trainer image: not begun: ${error.message}`),
  );
}

/** Prints what a newcomer needs before everything else. */
async function sayWhereToBegin(cluster: Layout, { install }: Note): Promise<void> {
  say(`portal: ${portalUrl(cluster)}`);
  say(`console: ${consoleUrl(cluster)}`);
  say(`operators' console: ${adminUrl(cluster)}`);
  if (install === 'helm') {
    const password = await firstPassword(cluster);
    if (password) say(`administrator: admin, first password ${password}`);
    return;
  }
  const administrator = await takeAdministrator(cluster);
  if (administrator) say(`administrator: ${administrator.name}, password ${administrator.password} (shown only once)`);
}

/** A cluster that was refused has never been: only what `up` wrote about itself is there. */
async function forget(cluster: Layout): Promise<void> {
  await rm(noteFile(cluster.name), { force: true });
  await unregisterSelf(cluster, 'up');
  for (const folder of [cluster.pidDir, cluster.dir]) await rmdir(folder).catch(() => {});
}

async function down({ name }: Wish): Promise<void> {
  const started = performance.now();
  const noted = await readNote(name);
  if (noted?.origin === 'kind') await deleteKindCluster(layout(name));
  // Covers the maximum number of nodes: `up` may have been killed before it recorded theirs.
  await teardown(layout(name, MAX_NODES));
  if (noted?.origin === 'kubeconfig') say(`cluster ${name} is forgotten; what Gantry put on it stays there`, started);
  else say(`cluster ${name} is gone`, started);
}

async function status({ name }: Wish): Promise<void> {
  const noted = await readNote(name);
  const processes = await listProcesses(layout(name));
  if (!noted) return console.log(`cluster ${name}: nothing runs`);
  console.log(`cluster ${name}: ${describe(noted)}`);
  for (const { name: process, pid, alive } of processes) {
    console.log(`${alive ? 'runs' : 'DEAD'}  ${String(pid).padStart(7)}  ${process}`);
  }
  if (noted.origin === 'bare') console.log(`trainer image: ${await stateOfTrainer(layout(name, noted.nodes))}`);
  if (processes.some(({ alive }) => !alive)) process.exitCode = 1;
}

async function env({ name }: Wish): Promise<void> {
  const noted = await readNote(name);
  const cluster = layout(name, noted?.nodes);
  const { kubeconfig, apiServer, registry } = cluster;
  const bare = (noted?.origin ?? 'bare') === 'bare';
  const lines = {
    KUBECONFIG: kubeconfig,
    PATH: `${binaryDirs().join(':')}:$PATH`,
    GANTRY_API: apiUrl(cluster),
    GANTRY_CONSOLE: consoleUrl(cluster),
    GANTRY_ADMIN: adminUrl(cluster),
    GANTRY_PORTAL: portalUrl(cluster),
    GANTRY_TENANT_WEB: tenantWeb(cluster),
    GANTRY_MAIL: cluster.mailDir,
    GANTRY_EXAMPLE_MODEL: cluster.exampleModelDir,
    GANTRY_EXAMPLE_BASE: cluster.exampleBaseDir,
    GANTRY_PAYMENTS: paymentsUrl(cluster),
    GANTRY_PAYMENTS_KEYS: paymentsDir(cluster),
    ...(bare
      ? {
          GANTRY_API_SERVER: apiServer,
          GANTRY_REGISTRY: registry.address,
          GANTRY_REGISTRY_LOGIN: platformLogin(cluster),
          GANTRY_SSH_DOOR: sshDoor(cluster) ?? '',
        }
      : {}),
  };
  for (const [key, value] of Object.entries(lines)) console.log(`export ${key}="${value}"`);
}

async function books({ name }: Wish): Promise<void> {
  const noted = await readNote(name);
  process.exitCode = await (noted?.install === 'helm' ? proveBooksOfPod : proveBooks)(layout(name));
}

async function doctor({ name }: Wish): Promise<void> {
  const noted = await readNote(name);
  process.exitCode = await (noted?.install === 'helm' ? checkClusterOfPod : checkCluster)(layout(name));
}

const describe = ({ origin, nodes, install }: Note) => `CLUSTER=${origin} NODES=${nodes} INSTALL=${install}`;
const noteFile = (name: string) => `${layout(name).dir}/note.json`;

async function readNote(name: string): Promise<Note | undefined> {
  const text = await readFile(noteFile(name), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : { install: 'processes', ...JSON.parse(text) };
}

function parseWish(): Wish {
  const { values } = parseArgs({ allowPositionals: true, options });
  const origin = values.cluster === '' ? undefined : ORIGINS.find((known) => known === values.cluster);
  if (values.cluster !== '' && !origin) throw new Error(`CLUSTER=${values.cluster}: want one of ${ORIGINS.join(', ')}`);
  const install = values.install === '' ? undefined : INSTALLS.find((known) => known === values.install);
  if (values.install !== '' && !install)
    throw new Error(`INSTALL=${values.install}: want one of ${INSTALLS.join(', ')}`);
  const nodes = values.nodes === '' ? undefined : Number(values.nodes);
  return { name: values.name, nodes, origin, install, without: values.without };
}

const options = {
  name: { type: 'string', default: process.env.NAME || 'gantry' },
  nodes: { type: 'string', default: process.env.NODES || '' },
  cluster: { type: 'string', default: process.env.CLUSTER || '' },
  install: { type: 'string', default: process.env.INSTALL || '' },
  without: { type: 'string', multiple: true, default: [] as string[] },
} as const;

const verb = process.argv[2] ?? '';
const command = commands[verb];
if (command) {
  try {
    await command(parseWish());
  } catch (error) {
    console.error(`\n${verb} failed: ${error instanceof Error ? error.message : String(error)}`);
    // At once: steps that began beside the failed one are not worth waiting for.
    process.exit(1);
  }
} else {
  console.log(USAGE);
  process.exitCode = verb === '--help' ? 0 : 2;
}
