// Kernel settings that belong to the whole machine: noted before the first cluster changes them, put back after the
// last one went.
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { STATE_ROOT } from './layout.ts';

/** The settings we change; `undefined` marks those that a kubelet changes at its start. */
const SETTINGS: Readonly<Record<string, string | undefined>> = {
  'net/ipv4/ip_forward': '1',
  'fs/inotify/max_user_instances': '8192',
  'vm/overcommit_memory': undefined,
  'vm/panic_on_oom': undefined,
  'kernel/panic': undefined,
  'kernel/panic_on_oops': undefined,
  'kernel/keys/root_maxkeys': undefined,
  'kernel/keys/root_maxbytes': undefined,
};

const noted = `${STATE_ROOT}/host-settings.json`;

export async function changeHostSettings(): Promise<void> {
  if (!existsSync(noted)) {
    const now = await Promise.all(Object.keys(SETTINGS).map(async (name) => [name, await read(name)]));
    await mkdir(STATE_ROOT, { recursive: true });
    await writeFile(`${noted}.new`, JSON.stringify(Object.fromEntries(now)));
    await rename(`${noted}.new`, noted);
  }
  for (const [name, value] of Object.entries(SETTINGS)) {
    if (value !== undefined && (await read(name)) !== value) await writeFile(`/proc/sys/${name}`, value);
  }
}

/** Called when a cluster's own folder is gone; does nothing while another cluster has one. */
export async function restoreHostSettings(): Promise<void> {
  if (!existsSync(noted)) return;
  const others = await readdir(STATE_ROOT, { withFileTypes: true });
  if (others.some((entry) => entry.isDirectory())) return;
  const before: Record<string, string> = JSON.parse(await readFile(noted, 'utf8'));
  for (const [name, value] of Object.entries(before)) {
    if ((await read(name)) !== value) await writeFile(`/proc/sys/${name}`, value);
  }
  await rm(noted);
}

const read = async (name: string) => (await readFile(`/proc/sys/${name}`, 'utf8')).trim();
