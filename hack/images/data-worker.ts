// The image of the data worker: Debian's Python, the wheels that its lockfile names, and its source. The first two layers are made once
// for a lockfile and kept beside the binaries. Nothing is installed on this machine, and no program of the image's runs with its root.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { cacheDir } from '../binaries.ts';
import { crane } from '../crane.ts';
import { debianMirror } from '../debian-mirror.ts';
import type { Layout } from '../layout.ts';
import { run } from '../run.ts';
import { say } from '../say.ts';
import { officialName } from './build.ts';
import { filesBelow } from './files-below.ts';
import { USER_OF_APPS, usersOfApps, withFolders } from './node-app.ts';
import { type Layer, layerOf, type OciImage, writeOciLayout } from './oci-layout.ts';
import type { TarEntry } from './tar.ts';

const room = fileURLToPath(new URL('../../data-worker/', import.meta.url));
export const DATA_WORKER_LOCK = `${room}requirements.lock`;

const SUITE = 'trixie';
/** `base-files` has the links from which programs find their loader. */
const PACKAGES = ['python3', 'base-files', 'libstdc++6', 'tzdata'];
/** Nothing else of the root: devices, above all, have no end. */
const SHIPPED = ['bin', 'lib', 'lib64', 'sbin', 'usr', 'etc'];
/** Folders among these that no program reads. Licences stay. */
const NOT_SHIPPED = ['man', 'locale', 'info', 'lintian', 'bug'];
const APP = 'app';
const WHEELS = `${APP}/lib`;

export interface DataWorker extends Omit<OciImage, 'labels'> {
  /** Package URLs of what is in it besides our source. */
  readonly purls: readonly string[];
}

export async function dataWorker(): Promise<DataWorker> {
  const lock = await readFile(DATA_WORKER_LOCK, 'utf8');
  const kept = await keptLayers(lock);
  const source = await filesBelow(room, 'gantry_worker', { skip: ['__pycache__'] });
  const below = source.map((entry) => ({ ...entry, path: `${APP}/${entry.path}` }));
  return {
    layers: [...kept.layers, layerOf(withFolders(below))],
    entrypoint: ['/usr/bin/python3', '-m', 'gantry_worker'],
    env: { PYTHONPATH: `/${WHEELS}`, PYTHONDONTWRITEBYTECODE: '1', LC_ALL: 'C.UTF-8', TZ: 'UTC' },
    workingDir: `/${APP}`,
    user: USER_OF_APPS,
    purls: [...kept.debian, ...wheelsOf(lock)],
  };
}

/** Step. A machine that reaches neither Debian nor PyPI goes without, and says so: only datasets need it. */
export async function pushDataWorker(cluster: Layout): Promise<void> {
  const name = await officialName('data-worker');
  const reference = `${cluster.registry.address}/${name}`;
  try {
    const { purls, ...image } = await dataWorker();
    const folder = `${cluster.dir}/images/data-worker.oci`;
    const digest = await writeOciLayout(folder, image);
    const there = await crane(cluster, ['digest', reference]).catch(() => '');
    if (there.trim() !== digest) await crane(cluster, ['push', folder, reference]);
  } catch (error) {
    say(`${name} was not made, and datasets will wait for it: ${(error as Error).message}`);
  }
}

interface Kept {
  readonly layers: readonly Layer[];
  readonly debian: readonly string[];
}

/** The layers that rarely change, by the lockfile and the packages named above. */
async function keptLayers(lock: string): Promise<Kept> {
  const key = createHash('sha256')
    .update(JSON.stringify([SUITE, PACKAGES, SHIPPED, NOT_SHIPPED, lock]))
    .digest('hex');
  const folder = `${cacheDir}/images/data-worker-${key.slice(0, 12)}`;
  if (!existsSync(folder)) await makeLayers(folder);
  const packed = await Promise.all(['debian', 'wheels'].map((layer) => readFile(`${folder}/${layer}.tar.gz`)));
  return { layers: packed.map(layerFrom), debian: JSON.parse(await readFile(`${folder}/debian.json`, 'utf8')) };
}

const layerFrom = (packed: Buffer): Layer => ({
  packed,
  diffId: `sha256:${createHash('sha256').update(gunzipSync(packed)).digest('hex')}`,
});

/** Complete, or not there. */
async function makeLayers(folder: string): Promise<void> {
  say('data worker: unpacking Python from Debian, fetching wheels');
  const made = await mkdtemp(`${tmpdir()}/gantry-data-worker-`);
  const [root, result] = [`${made}/root`, `${folder}.${process.pid}`];
  try {
    await mkdir(result, { recursive: true });
    await unpackDebian(root);
    const python = await pythonIn(root);
    await fetchWheels(`${root}/${WHEELS}`, python);
    await compile(root, python);
    const wheels = await filesBelow(root, WHEELS, { skip: ['tests', 'bin'] });
    const others = (await readdir(root)).filter((name) => !SHIPPED.includes(name));
    const debian = await filesBelow(root, '', { skip: [...NOT_SHIPPED, ...others] });
    await writeFile(`${result}/wheels.tar.gz`, layerOf(withFolders(wheels)).packed);
    await writeFile(
      `${result}/debian.tar.gz`,
      layerOf(withFolders([...usersOfApps(), ...debian.filter(isShipped)])).packed,
    );
    await writeFile(`${result}/debian.json`, JSON.stringify(await debianPackages(root)));
    await rename(result, folder);
  } finally {
    await rm(made, { recursive: true, force: true });
    await rm(result, { recursive: true, force: true });
  }
}

/** Users are ours, and changelogs nobody's. */
const isShipped = ({ path }: TarEntry): boolean =>
  !/^(etc\/(passwd|group|nsswitch\.conf)$|usr\/share\/doc\/.*changelog)/.test(path);

async function unpackDebian(root: string): Promise<void> {
  const source = `deb ${await debianMirror()} ${SUITE} main`;
  await run('mmdebstrap', ['--variant=extract', `--include=${PACKAGES.join(',')}`, SUITE, root, source]);
  // Its owner is whoever reads it here.
  await chmod(root, 0o755);
}

/** Such as 3.13. */
async function pythonIn(root: string): Promise<string> {
  const found = (await readdir(`${root}/usr/lib`)).find((name) => /^python3\.\d+$/.test(name));
  if (found === undefined) throw new Error(`Debian ${SUITE} brought no Python`);
  return found.slice('python'.length);
}

/** For the image's Python, by this machine's pip: from the index that it is configured for, and only what the lockfile names. */
async function fetchWheels(folder: string, python: string): Promise<void> {
  const environment = `${cacheDir}/python/pip`;
  if (!existsSync(`${environment}/bin/pip`)) await run('python3', ['-m', 'venv', environment]);
  await run(`${environment}/bin/pip`, [
    ...['install', '--quiet', '--disable-pip-version-check', '--no-deps', '--require-hashes', '--no-compile'],
    ...['--only-binary=:all:', '--implementation=cp', `--python-version=${python}`, '--platform=manylinux_2_28_x86_64'],
    ...['--target', folder, '--requirement', DATA_WORKER_LOCK],
  ]);
}

/** By its own Python, on its own loader and libraries. Without this, a container compiles all that it imports at each start. */
async function compile(root: string, python: string): Promise<void> {
  const loader = `${root}/usr/lib64/ld-linux-x86-64.so.2`;
  const program = ['--library-path', `${root}/usr/lib/x86_64-linux-gnu`, `${root}/usr/bin/python${python}`];
  // Without times, the same source gives the same bytes.
  const options = ['-m', 'compileall', '-q', '--invalidation-mode=unchecked-hash', '-s', root, '-p', '/'];
  const folders = [`${root}/usr/lib/python${python}`, `${root}/${WHEELS}`];
  await run(loader, [...program, ...options, ...folders], { env: { PYTHONHOME: `${root}/usr`, LC_ALL: 'C.UTF-8' } });
}

/** Name and version, by the changelog of each: unpacked packages are in no list. */
async function debianPackages(root: string): Promise<string[]> {
  const docs = `${root}/usr/share/doc`;
  const found = await Promise.all(
    (await readdir(docs)).map(async (name) => {
      const file = ['changelog.Debian.gz', 'changelog.gz'].map((log) => join(docs, name, log)).find(existsSync);
      if (file === undefined) return [];
      const version = /\(([^)]+)\)/.exec(gunzipSync(await readFile(file)).toString('utf8', 0, 500))?.[1];
      return version === undefined ? [] : [`pkg:deb/debian/${name}@${encodeURIComponent(version)}?distro=${SUITE}`];
    }),
  );
  return found.flat().toSorted();
}

/** `name==version`, and the wheels' digests below. */
export const wheelsOf = (lock: string): string[] =>
  [...lock.matchAll(/^(\S+)==(\S+) \\$/gm)].map(([, name, version]) => `pkg:pypi/${name}@${version}`);
