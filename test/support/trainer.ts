// The trainer's own Python and torch, out of the layers of its image that `make up` keeps on this machine: as a folder to run in.
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { cacheDir } from '../../hack/binaries.ts';
import { keyOfLayers, unpackKept } from '../../hack/images/python-image.ts';
import { TRAINER } from '../../hack/images/trainer.ts';

/** The root is another one, with this repository at /room and this machine's /tmp. Descriptors stay open. */
const INSIDE = `
root=$1 room=$2; shift 2
mkdir -p "$root/proc" "$root/dev" "$root/tmp" "$root/room"
mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" && mount --bind /tmp "$root/tmp" && mount --bind "$room" "$root/room" || exit 125
exec chroot "$root" "$@"`;

const ENVIRONMENT = {
  PATH: '/usr/bin:/bin:/usr/sbin:/sbin',
  HOME: '/tmp',
  LC_ALL: 'C.UTF-8',
  PYTHONPATH: '/app/lib:/room/trainer:/room/data-worker',
  PYTHONDONTWRITEBYTECODE: '1',
};

export interface TrainerPython {
  /** A command that runs Python with these arguments; what is below /tmp here is below /tmp there. */
  readonly command: (...args: readonly string[]) => readonly [string, string[]];
}

/** Undefined where the image was never made here, or we are not root: making it takes minutes and a network. */
export async function trainerPython(): Promise<TrainerPython | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const root = `${cacheDir}/roots/trainer-${await keyOfLayers(TRAINER)}`;
  await mkdir(`${cacheDir}/roots`, { recursive: true });
  if (!(await unpackKept(TRAINER, root))) return undefined;
  const environment = Object.entries(ENVIRONMENT).map(([name, value]) => `${name}=${value}`);
  return { command: (...args) => ['env', ['-i', ...environment, ...inRoot(root, '/usr/bin/python3', ...args)]] };
}

/** A command with its arguments that runs a program, named by a whole path, in another root. It takes a mount namespace, and root. */
export const inRoot = (root: string, ...program: readonly string[]): string[] => [
  ...['unshare', '--mount', 'sh', '-c', INSIDE, 'sh', root, resolve('.')],
  ...program,
];
