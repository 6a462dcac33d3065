// Everything that a cluster could leave on a machine, listed without asking the cluster: each line names one thing. Things with
// another cluster's name are left out, because others may come and go meanwhile.
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { runCommand } from './command.ts';

/** Ways in which a thing bears its cluster's name; the name is caught as $1. */
const MARKS = [
  /\b([a-z][a-z0-9]*)-(?:br|n\d|node-\d)\b/,
  /gantry:([a-z][a-z0-9]*)/,
  /(?:\/var\/lib|\/run)\/gantry\/([a-z][a-z0-9]*)\//,
  /GANTRY_STARTED_FOR=([a-z][a-z0-9]*)/,
];

const KINDS: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  process: markedProcesses,
  mount: async () => (await linesOf('/proc/self/mountinfo')).map((line) => line.split(' ')[4] ?? ''),
  loop: () => output('losetup', '--list', '--noheadings', '--output', 'NAME,BACK-FILE'),
  link: () => names('/sys/class/net'),
  route: () => output('ip', '-o', 'route'),
  netns: () => names('/run/netns'),
  rule: async () => [...(await rulesOf('filter')), ...(await rulesOf('nat')), ...(await rulesOf('mangle'))],
  ipset: () => output('ipset', 'list', '-name'),
  cgroup: cgroups,
  folder: async () => [...(await names('/var/lib/gantry')), ...(await names('/run/gantry'))],
  setting: async () =>
    Promise.all(SETTINGS.map(async (name) => `${name} ${(await linesOf(`/proc/sys/${name}`)).join()}`)),
};

const SETTINGS = ['net/ipv4/ip_forward', 'vm/overcommit_memory', 'kernel/panic', 'kernel/panic_on_oops'];

export async function listTraces(cluster: string): Promise<string[]> {
  const all = await Promise.all(
    Object.entries(KINDS).map(async ([kind, list]) => (await list()).map((line) => `${kind} ${line}`)),
  );
  const others = (line: string) => MARKS.some((mark) => (mark.exec(line)?.[1] ?? cluster) !== cluster);
  const folders = new Set([...(await names('/var/lib/gantry'))].filter((name) => name !== cluster));
  return all
    .flat()
    .filter((line) => !others(line) && !folders.has(line.slice('folder '.length)))
    .sort();
}

/** Processes whose command, environment or cgroup bears a cluster's name: unrelated ones do not show up. */
async function markedProcesses(): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid);
  const found = await Promise.all(
    pids.map(async (pid) => {
      const text = await Promise.all(['cmdline', 'environ', 'cgroup'].map((file) => textOf(`/proc/${pid}/${file}`)));
      const mark = MARKS.map((pattern) => pattern.exec(text.join('\n'))?.[0]).find((hit) => hit !== undefined);
      return mark === undefined ? [] : [`${pid} ${mark} ${(text[0] ?? '').split('\0')[0]}`];
    }),
  );
  return found.flat();
}

async function cgroups(): Promise<string[]> {
  const root = '/sys/fs/cgroup';
  const controllers = existsSync(`${root}/cgroup.controllers`) ? [''] : (await names(root)).map((name) => `/${name}`);
  const folders = await Promise.all(
    controllers.map(async (controller) => {
      const entries = await readdir(`${root}${controller}`, { withFileTypes: true }).catch(() => []);
      return entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${controller}/${name}`);
    }),
  );
  return folders.flat();
}

async function rulesOf(table: string): Promise<string[]> {
  return (await output('iptables', '-w', '-t', table, '-S')).map((line) => `${table} ${line}`);
}

async function output(file: string, ...args: string[]): Promise<string[]> {
  const { stdout } = await runCommand(file, args);
  return stdout.split('\n').filter((line) => line.trim() !== '');
}

const names = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
const textOf = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');
const linesOf = async (file: string): Promise<string[]> => (await textOf(file)).trim().split('\n');
