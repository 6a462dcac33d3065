// Images of our programs in Python: Debian's packages, the wheels that a lockfile names, and our source. The first two layers are made
// once for a lockfile and kept beside the binaries. Nothing is installed on this machine, and no program of the image's runs with its root.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createZstdCompress, createZstdDecompress, gunzipSync } from 'node:zlib';
import { cacheDir } from '../binaries.ts';
import { debianMirror } from '../debian-mirror.ts';
import { run } from '../run.ts';
import { say } from '../say.ts';
import { filesBelow } from './files-below.ts';
import { USER_OF_APPS, usersOfApps, withFolders } from './node-app.ts';
import { type Layer, type LayerFile, layerOf, type OciImage } from './oci-layout.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));

const SUITE = 'trixie';
/** Nothing else of the root: devices, above all, have no end. */
const SHIPPED = ['bin', 'lib', 'lib64', 'sbin', 'usr', 'etc'];
/** Names that no program reads, as patterns of tar. Licences stay; users are ours, and changelogs nobody's. */
const NOT_SHIPPED = ['man', 'locale', 'info', 'lintian', 'bug', 'usr/share/doc/*changelog*'];
const USERS = ['etc/passwd', 'etc/group', 'etc/nsswitch.conf'];
const APP = 'app';
const WHEELS = `${APP}/lib`;
/** The oldest C library among these is the one that a wheel needs. Debian's is newer than all. */
const PLATFORMS = ['2_28', '2_27', '2_26', '2_24', '2_17', '2_12', '2_5'].map(
  (version) => `manylinux_${version}_x86_64`,
);
const OLD_PLATFORMS = ['manylinux2014_x86_64', 'manylinux1_x86_64'];

/** Of each of these packages, unpacked, files below `to`, a folder of the root: by their names, the paths that they come from. */
export interface Brought {
  readonly suite: string;
  readonly packages: readonly string[];
  readonly to: string;
  readonly files: Readonly<Record<string, string>>;
}

export interface PythonProgram {
  /** Of the image, and of what is kept. */
  readonly name: string;
  readonly packages: readonly string[];
  /** The lockfile's path. */
  readonly lock: string;
  /** Packages of ours: a room of the repository, and the folder in it. The first is the program. */
  readonly sources: readonly { readonly room: string; readonly folder: string }[];
  /** More names in it that no program reads, as patterns of tar. */
  readonly notShipped?: readonly string[];
  /** Files of another suite of Debian's, which the rest of it is not needed for. */
  readonly brings?: Brought;
  /** What the packages' own scripts would link, which nobody runs: paths in the image and their targets. */
  readonly links?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

export interface PythonImage extends Omit<OciImage, 'labels'> {
  /** Package URLs of what is in it besides our source. */
  readonly purls: readonly string[];
}

export async function pythonImage(program: PythonProgram): Promise<PythonImage> {
  const kept = await keptLayers(program);
  return {
    layers: [...kept.layers, await sourceLayer(program)],
    entrypoint: ['/usr/bin/python3', '-m', program.sources[0]?.folder ?? ''],
    env: { PYTHONPATH: `/${WHEELS}`, PYTHONDONTWRITEBYTECODE: '1', LC_ALL: 'C.UTF-8', TZ: 'UTC', ...program.env },
    workingDir: `/${APP}`,
    user: USER_OF_APPS,
    purls: [...kept.debian, ...wheelsOf(await readFile(program.lock, 'utf8'))],
  };
}

/** Small, and another one whenever our source is. */
async function sourceLayer({ sources, links = {} }: PythonProgram): Promise<Layer> {
  const found = await Promise.all(
    sources.map(({ room, folder }) => filesBelow(`${repository}${room}`, folder, { skip: ['__pycache__'] })),
  );
  const ours = found.flat().map((entry) => ({ ...entry, path: `${APP}/${entry.path}` }));
  const linked = Object.entries(links).map(([path, link]) => ({ path, link }));
  return layerOf(withFolders([...usersOfApps(), ...ours, ...linked]));
}

/** Names what is in the image, without making it: 12 hex digits. */
export async function keyOf(program: PythonProgram): Promise<string> {
  const [layers, source] = await Promise.all([keyOfLayers(program), sourceLayer(program)]);
  return hashOf([layers, source.diffId, program.env]).slice(0, 12);
}

/** Of the layers that rarely change: by the lockfile and the packages. */
export async function keyOfLayers({ packages, lock, notShipped = [], brings }: PythonProgram): Promise<string> {
  const text = await readFile(lock, 'utf8');
  return hashOf(['tar.zst', SUITE, packages, SHIPPED, NOT_SHIPPED, notShipped, brings, text]).slice(0, 12);
}

const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

interface Kept {
  readonly layers: readonly LayerFile[];
  readonly debian: readonly string[];
}

const keptFolder = async (program: PythonProgram): Promise<string> =>
  `${cacheDir}/images/${program.name}-${await keyOfLayers(program)}`;

async function keptLayers(program: PythonProgram): Promise<Kept> {
  const folder = await keptFolder(program);
  if (!existsSync(folder)) await makeLayers(program, folder);
  const { layers, debian }: Kept = JSON.parse(await readFile(`${folder}/kept.json`, 'utf8'));
  return { layers: layers.map((layer) => ({ ...layer, file: `${folder}/${layer.file}` })), debian };
}

/** Unpacks the kept layers into a folder, once, with what links there are; false where none are kept. Needs no network. */
export async function unpackKept(program: PythonProgram, root: string): Promise<boolean> {
  if (!existsSync(root)) {
    if (!existsSync(await keptFolder(program))) return false;
    await unpackLayers(program, root);
  }
  for (const [path, link] of Object.entries(program.links ?? {})) await run('ln', ['-sfn', link, `${root}/${path}`]);
  return true;
}

async function unpackLayers(program: PythonProgram, root: string): Promise<void> {
  const made = `${root}.${process.pid}`;
  await mkdir(made, { recursive: true });
  try {
    for (const { file } of (await keptLayers(program)).layers) {
      const tar = spawn('tar', ['--extract', '--no-same-owner', '--directory', made], {
        stdio: ['pipe', 'inherit', 'inherit'],
      });
      const ended = endOf(tar, 'tar');
      await pipeline(createReadStream(file), createZstdDecompress(), tar.stdin);
      await ended;
    }
    await rename(made, root);
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

/** Complete, or not there. */
async function makeLayers(program: PythonProgram, folder: string): Promise<void> {
  say(`${program.name}: unpacking Python from Debian, fetching wheels`);
  const made = await mkdtemp(`${tmpdir()}/gantry-${program.name}-`);
  const [root, result] = [`${made}/root`, `${folder}.${process.pid}`];
  const { notShipped = [] } = program;
  try {
    await mkdir(result, { recursive: true });
    await unpackDebian(root, program.packages);
    const brought = program.brings ? await bring(program.brings, root, made) : [];
    const python = await pythonIn(root);
    await fetchWheels(`${root}/${WHEELS}`, python, program.lock);
    await compile(root, python);
    const shipped = SHIPPED.filter((name) => existsSync(`${root}/${name}`));
    const layers = [
      await pack(root, shipped, [...NOT_SHIPPED, ...USERS, ...notShipped], `${result}/debian.tar.zst`),
      await pack(root, [WHEELS], ['tests', `${WHEELS}/bin`, ...notShipped], `${result}/wheels.tar.zst`),
    ];
    const kept: Kept = { layers, debian: [...(await debianPackages(root)), ...brought].toSorted() };
    await writeFile(`${result}/kept.json`, JSON.stringify(kept));
    await rename(result, folder);
  } finally {
    await rm(made, { recursive: true, force: true });
    await rm(result, { recursive: true, force: true });
  }
}

/** As a stream: torch as a whole would take gigabytes of memory. The same files give the same bytes on any machine and day. */
async function pack(root: string, paths: readonly string[], not: readonly string[], to: string): Promise<LayerFile> {
  const settled = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--format=gnu'];
  const tar = spawn(
    'tar',
    [
      ...['--create', '--directory', root, ...settled, '--hard-dereference', '--mode=u+rwX,go+rX,go-w,a-s'],
      // A name alone is looked for everywhere, a path from the top on.
      ...not.flatMap((pattern) => [pattern.includes('/') ? '--anchored' : '--no-anchored', `--exclude=${pattern}`]),
      ...paths,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = endOf(tar, 'tar');
  const [content, packed] = [createHash('sha256'), createHash('sha256')];
  let bytes = 0;
  const look = (see: (chunk: Buffer) => void) =>
    async function* (source: Readable) {
      for await (const chunk of source) {
        see(chunk);
        yield chunk;
      }
    };
  await pipeline(
    tar.stdout,
    look((chunk) => content.update(chunk)),
    createZstdCompress(),
    look((chunk) => {
      packed.update(chunk);
      bytes += chunk.length;
    }),
    createWriteStream(to),
  );
  await ended;
  return {
    file: to.slice(to.lastIndexOf('/') + 1),
    bytes,
    digest: `sha256:${packed.digest('hex')}`,
    diffId: `sha256:${content.digest('hex')}`,
  };
}

async function unpackDebian(root: string, packages: readonly string[]): Promise<void> {
  const source = `deb ${await debianMirror()} ${SUITE} main`;
  await run('mmdebstrap', ['--variant=extract', `--include=${packages.join(',')}`, SUITE, root, source]);
  // Its owner is whoever reads it here.
  await chmod(root, 0o755);
}

/** Resolves with the packages' URLs. By apt with lists of its own: what this machine has installed stays as it is. */
async function bring({ suite, packages, to, files }: Brought, root: string, made: string): Promise<string[]> {
  const apt = `${made}/apt`;
  for (const folder of ['lists/partial', 'cache/archives/partial', 'unpacked'])
    await mkdir(`${apt}/${folder}`, { recursive: true });
  await writeFile(`${apt}/sources.list`, `deb ${await debianMirror()} ${suite} main\n`);
  const settings = {
    'Dir::Etc::sourcelist': `${apt}/sources.list`,
    'Dir::Etc::sourceparts': '-',
    'Dir::State::lists': `${apt}/lists`,
    'Dir::Cache': `${apt}/cache`,
    'APT::Sandbox::User': 'root',
    'Acquire::Check-Valid-Until': 'false',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['--option', `${name}=${value}`]);
  await run('apt-get', [...options, 'update', '-q']);
  await run('apt-get', [...options, 'download', '-q', ...packages], { cwd: apt });
  const archives = (await readdir(apt)).filter((name) => name.endsWith('.deb'));
  for (const archive of archives) await run('dpkg-deb', ['--extract', `${apt}/${archive}`, `${apt}/unpacked`]);
  await mkdir(`${root}/${to}`, { recursive: true });
  for (const [name, from] of Object.entries(files)) await rename(`${apt}/unpacked/${from}`, `${root}/${to}/${name}`);
  // `<name>_<version>_<architecture>.deb`, the version as in a URL.
  return archives
    .map((name) => name.split('_'))
    .map(([name, version]) => `pkg:deb/debian/${name}@${version}?distro=${suite}`);
}

/** Such as 3.13. */
async function pythonIn(root: string): Promise<string> {
  const found = (await readdir(`${root}/usr/lib`)).find((name) => /^python3\.\d+$/.test(name));
  if (found === undefined) throw new Error(`Debian ${SUITE} brought no Python`);
  return found.slice('python'.length);
}

/** For the image's Python, by this machine's pip: from the index that it is configured for, and only what the lockfile names. */
async function fetchWheels(folder: string, python: string, lock: string): Promise<void> {
  const environment = `${cacheDir}/python/pip`;
  if (!existsSync(`${environment}/bin/pip`)) await run('python3', ['-m', 'venv', environment]);
  await run(`${environment}/bin/pip`, [
    ...['install', '--quiet', '--disable-pip-version-check', '--no-deps', '--require-hashes', '--no-compile'],
    ...['--only-binary=:all:', '--implementation=cp', `--python-version=${python}`],
    ...[...PLATFORMS, ...OLD_PLATFORMS].map((platform) => `--platform=${platform}`),
    // pip otherwise also asks whether this machine's Python would do.
    ...['--ignore-requires-python', '--target', folder, '--requirement', lock],
  ]);
}

/** By its own Python, on its own loader and libraries. Without this, a container compiles all that it imports at each start. */
async function compile(root: string, python: string): Promise<void> {
  const loader = `${root}/usr/lib64/ld-linux-x86-64.so.2`;
  const program = ['--library-path', `${root}/usr/lib/x86_64-linux-gnu`, `${root}/usr/bin/python${python}`];
  // Without times, the same source gives the same bytes.
  const options = ['-q', '--invalidation-mode=unchecked-hash', '-s', root, '-p', '/'];
  const folders = [`usr/lib/python${python}`, 'usr/lib/python3/dist-packages', 'usr/share/llama.cpp', WHEELS];
  const there = folders.map((folder) => `${root}/${folder}`).filter(existsSync);
  // Templates of source code among the packages do not compile, and nobody imports them.
  const tolerant = `import runpy, sys\ntry: runpy.run_module('compileall', run_name='__main__')\nexcept SystemExit: pass`;
  await run(loader, [...program, '-c', tolerant, ...options, ...there], {
    env: { PYTHONHOME: `${root}/usr`, LC_ALL: 'C.UTF-8' },
  });
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

function endOf(child: ReturnType<typeof spawn>, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`${name} ended with ${code}`))));
  });
}
