// Only one process at a time has a PGlite folder: a second one would silently lose data. A process that wants it leaves a claim
// beside the folder, named by its pid, that pid's start time and the boot; then it looks for others. A claim of a process that is
// gone, or whose pid was reused, is void and removed.
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const MOST_TRIES = 20;

/** Resolves with a function that releases the folder; rejects with a sentence that names the process which has it. */
export async function takeFolder(folder: string): Promise<() => Promise<void>> {
  const place = resolve(folder);
  const prefix = `${basename(place)}.lock.`;
  const me = `${process.pid}-${await startedAt('self')}-${await bootId()}`;
  const claim = join(dirname(place), prefix + me);
  await mkdir(dirname(place), { recursive: true });

  for (let tries = 1; ; tries++) {
    // "Asks" first: of two that come at once both see each other, withdraw, and come again apart. "Has" is never doubted.
    await writeFile(claim, 'asks', { mode: 0o600, flag: tries === 1 ? 'wx' : 'w' }).catch((error) => {
      throw error.code === 'EEXIST' ? taken(place, process.pid) : error;
    });
    const others = await livingClaims(dirname(place), prefix, me);
    if (others.length === 0) {
      await writeFile(`${claim}~`, 'has', { mode: 0o600 });
      await rename(`${claim}~`, claim);
      return () => rm(claim, { force: true });
    }
    await rm(claim, { force: true });
    const owner = others.find(({ has }) => has) ?? (tries === MOST_TRIES ? others[0] : undefined);
    if (owner) throw taken(place, owner.pid);
    await sleep(5 + Math.random() * 50);
  }
}

const taken = (folder: string, pid: number) =>
  new Error(`${folder} is in use by process ${pid}: a folder of PGlite serves one process at a time`);

async function livingClaims(folder: string, prefix: string, me: string): Promise<{ pid: number; has: boolean }[]> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(prefix) && !name.startsWith(prefix + me));
  const claims = await Promise.all(
    names.map(async (name) => {
      const file = join(folder, name);
      const [pid = '', started = '', ...boot] = name.slice(prefix.length).replace(/~$/, '').split('-');
      const isAlive = boot.join('-') === (await bootId()) && started === (await startedAt(pid).catch(() => undefined));
      // A dead claim stays dead, so that sweeping needs no lock.
      if (!isAlive) await rm(file, { force: true });
      const text = isAlive ? await readFile(file, 'utf8').catch(() => undefined) : undefined;
      return text === undefined ? [] : [{ pid: Number(pid), has: text === 'has' }];
    }),
  );
  return claims.flat();
}

/** In clock ticks since boot: the 22nd field, counted after the command's name, which may contain spaces and brackets. */
async function startedAt(pid: string): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

const bootId = async () => (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
