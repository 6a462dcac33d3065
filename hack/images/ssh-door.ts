// The image of the SSH door: Debian's sshd with the libraries it names, four users without a shell, and our two programs.
// The package is unpacked, never installed: an sshd must not start on the machine itself.
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { cacheDir } from '../binaries.ts';
import { run } from '../run.ts';
import { say } from '../say.ts';
import { buildAgent } from './build.ts';
import type { ImageSpec } from './image-archive.ts';
import type { TarEntry } from './tar.ts';

const PACKAGE = 'openssh-server';
const SSHD = '/usr/sbin/sshd';
const SHELL = '/porter';

/** Name, uid, home. sshd's unprivileged process serves strangers, porter asks for keys, gantry is the login user. */
const USERS = [
  ['root', 0, '/'],
  ['sshd', 100, '/run/sshd'],
  ['porter', 101, '/'],
  ['gantry', 1000, '/'],
] as const;

/** `debianFiles` are those of this machine's packages. */
export async function sshDoorImage(cluster: {
  readonly dir: string;
}): Promise<{ spec: ImageSpec; debianFiles: readonly string[] }> {
  const root = await unpackedSshd();
  const libraries = await librariesOf(root);
  const program = async (path: string, file: string): Promise<TarEntry> => ({
    path,
    content: await readFile(file),
    mode: 0o755,
  });
  const spec: ImageSpec = {
    files: [
      ...['dev', 'etc', 'proc', 'run', 'sys', 'usr'].map((path): TarEntry => ({ path, directory: true })),
      // Where sshd shuts in what talks to strangers: nobody's, and empty.
      { path: 'run/sshd', directory: true },
      { path: 'tmp', directory: true, mode: 0o1777 },
      {
        path: 'etc/passwd',
        content: USERS.map(([name, id, home]) => `${name}:*:${id}:${id}::${home}:${SHELL}\n`).join(''),
      },
      { path: 'etc/group', content: USERS.map(([name, id]) => `${name}:x:${id}:\n`).join('') },
      await program(SSHD.slice(1), `${root}${SSHD}`),
      await program('node-agent', await buildAgent(cluster, 'node-agent')),
      await program('porter', await buildAgent(cluster, 'porter')),
      ...(await Promise.all([...libraries].map(([name, file]) => program(name.slice(1), file)))),
    ],
    entrypoint: ['/node-agent', 'door'],
  };
  return { spec, debianFiles: [`${root}${SSHD}`, ...libraries.values()] };
}

/** A folder with `usr/sbin/sshd`: `/` if the package is installed, otherwise a copy fetched once beside the binaries. */
async function unpackedSshd(): Promise<string> {
  if (existsSync(SSHD)) return '';
  const folder = `${cacheDir}/debian/${PACKAGE}`;
  if (existsSync(`${folder}${SSHD}`)) return folder;
  const fetched = `${folder}.${process.pid}`;
  await mkdir(`${fetched}/archives/partial`, { recursive: true });
  try {
    say(`fetching ${PACKAGE}, which is not installed`);
    // Also downloads dependencies that this machine lacks; the others are taken from here.
    const download = ['install', '--download-only', '-y', '-q', '--no-install-recommends', PACKAGE];
    const options = [`Dir::Cache::archives=${fetched}/archives`, 'Dir::Cache::pkgcache=', 'Dir::Cache::srcpkgcache='];
    const fetch = () => run('apt-get', [...options.flatMap((option) => ['-o', option]), ...download]);
    await fetch().catch(async () => {
      // The list of packages is older than the mirror, or not there.
      await run('apt-get', ['update', '-q']);
      await fetch();
    });
    for (const file of await readdir(`${fetched}/archives`)) {
      if (file.endsWith('.deb')) await run('dpkg-deb', ['-x', `${fetched}/archives/${file}`, fetched]);
    }
    await rm(folder, { recursive: true, force: true });
    await rename(fetched, folder);
  } finally {
    await rm(fetched, { recursive: true, force: true });
  }
  return folder;
}

/** By the path at which the loader looks for it. */
async function librariesOf(root: string): Promise<Map<string, string>> {
  const own = ['/usr/lib/x86_64-linux-gnu', '/lib/x86_64-linux-gnu'].map((folder) => `${root}${folder}`);
  const listed = await run('ldd', [`${root}${SSHD}`], { env: { LD_LIBRARY_PATH: own.join(':') } });
  if (listed.includes('not found')) throw new Error(`${SSHD} lacks a library:\n${listed}`);
  const files = listed.split('\n').flatMap((line) => /(\/\S+) \(0x/.exec(line)?.[1] ?? []);
  return new Map(files.map((file) => [root !== '' && file.startsWith(root) ? file.slice(root.length) : file, file]));
}
