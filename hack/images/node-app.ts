// The layers of an image that runs one of our workspaces on Node: what rarely changes first, so that an upgrade pulls little. Node
// runs our TypeScript as it is; packages come from node_modules, where `npm ci` put what the lock file names.
import { readdir, readFile, readlink } from 'node:fs/promises';
import { run } from '../run.ts';
import { filesBelow } from './files-below.ts';
import { type LockedPackage, type LockedPackages, neededBy } from './locked-packages.ts';
import { type Layer, layerOf } from './oci-layout.ts';
import type { TarEntry } from './tar.ts';

/** Nobody's: no account of a node has it. */
const USER = { name: 'gantry', id: 65532 } as const;
export const USER_OF_APPS = `${USER.id}:${USER.id}`;
const APP = 'app';
const SHARED = ['contract', 'kube'];
/** As in hack/platform.ts: 50 MB less at 10,000 objects. */
const FLAGS = '--max-semi-space-size=8';
const AUTHORITIES = 'etc/ssl/certs/ca-certificates.crt';
/** Files that a running program never reads: Node refuses TypeScript inside packages. Licences stay. */
const NOT_RUN = /\.(map|md|markdown|[cm]?ts|flow)$/;

export interface NodeApp {
  readonly layers: readonly Layer[];
  readonly packages: readonly (LockedPackage & { readonly name: string })[];
  /** Files outside of packages, by the Debian package that they come from: for the bill of materials. */
  readonly fromDebian: readonly string[];
}

/** `workspace` is api or operator, and `program` what it is called on the path; `folders` are shipped beside the workspaces' sources, by where they lie in the image. */
export async function nodeApp(
  repository: string,
  workspace: string,
  { program, folders }: { program: string; folders: Readonly<Record<string, string>> },
): Promise<NodeApp> {
  const lock: { packages: LockedPackages } = JSON.parse(await readFile(`${repository}package-lock.json`, 'utf8'));
  // Workspaces find those that all of them share by a link that no package.json names.
  const needed = neededBy([workspace, ...SHARED], lock.packages).filter((folder) => suits(lock.packages[folder]));
  const packages = needed.filter((folder) => isPackage(folder) && !lock.packages[folder]?.link);
  const workspaces = needed.filter((folder) => !isPackage(folder));
  const node = `${repository}node_modules/node/bin/node`;
  const files = await packageFiles(repository, packages);
  const native = files.filter(({ path }) => path.endsWith('.node')).map(({ path }) => repository + path);
  const libraries = await librariesOf([node, ...native]);
  return {
    layers: [
      layerOf(await baseFiles(node, libraries)),
      layerOf(withFolders(files.map(below(APP)))),
      layerOf([
        ...(await sourceFiles(repository, workspaces, folders)),
        // No shell is there to run a script with.
        {
          path: `usr/bin/${program}`,
          content: `#!/usr/bin/node ${FLAGS}\nimport('/${APP}/${workspace}/src/main.ts');\n`,
          mode: 0o755,
        },
      ]),
    ],
    packages: packages.map((folder) => ({ ...lock.packages[folder], name: nameOf(folder) })),
    fromDebian: libraries,
  };
}

/** A workspace may have some of its own. */
const isPackage = (folder: string): boolean => folder.includes('node_modules/');
const nameOf = (folder: string): string => folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** Packages with machine code say for which machine. */
const suits = (found: LockedPackage | undefined): boolean => {
  const { os, cpu, libc } = (found ?? {}) as Record<'os' | 'cpu' | 'libc', readonly string[] | undefined>;
  return (os?.includes('linux') ?? true) && (cpu?.includes('x64') ?? true) && (libc?.includes('glibc') ?? true);
};

const folder = (path: string, mode?: number): TarEntry => ({ path, directory: true, ...(mode && { mode }) });
const parents = (path: string): string[] =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, index, all) => all.slice(0, index + 1).join('/'));

/** The user, and a folder for passing files. */
export const usersOfApps = (): TarEntry[] => [
  folder('tmp', 0o1777),
  { path: 'etc/passwd', content: `root:x:0:0:root:/:/none\n${USER.name}:x:${USER.id}:${USER.id}::/:/none\n` },
  { path: 'etc/group', content: `root:x:0:\n${USER.name}:x:${USER.id}:\n` },
  // Without it the C library asks DNS for localhost.
  { path: 'etc/nsswitch.conf', content: 'hosts: files dns\n' },
];

/** With every folder above each. */
export function withFolders(files: readonly TarEntry[]): TarEntry[] {
  const folders = new Set(files.flatMap(({ path }) => parents(path)));
  for (const { path } of files) folders.delete(path);
  return [...[...folders].map((path) => folder(path)), ...files];
}

async function baseFiles(node: string, libraries: readonly string[]): Promise<TarEntry[]> {
  const library = async (path: string): Promise<TarEntry> => ({
    path: path.slice(1),
    content: await readFile(path),
    mode: 0o755,
  });
  return withFolders([
    ...usersOfApps(),
    { path: AUTHORITIES, content: await readFile(`/${AUTHORITIES}`) },
    { path: 'usr/bin/node', content: await readFile(node), mode: 0o755 },
    ...(await Promise.all(libraries.map(library))),
  ]);
}

async function packageFiles(repository: string, packages: readonly string[]): Promise<TarEntry[]> {
  const all = await Promise.all(packages.map((path) => filesBelow(repository, path, { skip: ['node_modules'] })));
  return all.flat().filter(({ path }) => !NOT_RUN.test(path));
}

async function sourceFiles(
  repository: string,
  workspaces: readonly string[],
  folders: Readonly<Record<string, string>>,
): Promise<TarEntry[]> {
  const sources = await Promise.all(workspaces.map((name) => filesBelow(repository, `${name}/src`)));
  const manifests = ['package.json', ...workspaces.map((name) => `${name}/package.json`)];
  const beside = await Promise.all(
    Object.entries(folders).map(async ([to, from]) =>
      (await filesBelow(from, '')).map((entry) => ({ ...entry, path: `${to}/${entry.path}` })),
    ),
  );
  const links = await readdir(`${repository}node_modules/@gantry`);
  return withFolders(
    [
      ...sources.flat().filter(({ path }) => !/\.test\.tsx?$|\/testing\//.test(path)),
      ...(await Promise.all(
        manifests.map(async (path): Promise<TarEntry> => ({ path, content: await readFile(`${repository}${path}`) })),
      )),
      ...(await Promise.all(
        links
          .filter((name) => workspaces.includes(name))
          .map(
            async (name): Promise<TarEntry> => ({
              path: `node_modules/@gantry/${name}`,
              link: await readlink(`${repository}node_modules/@gantry/${name}`),
            }),
          ),
      )),
      ...beside.flat(),
    ].map(below(APP)),
  );
}

const below =
  (root: string) =>
  <Entry extends TarEntry>(entry: Entry): Entry => ({ ...entry, path: `${root}/${entry.path}` });

/** The libraries that programs and packages with machine code name, at the paths where the loader looks for them. */
async function librariesOf(programs: readonly string[]): Promise<string[]> {
  const listed = await run('ldd', programs);
  return [...new Set([...listed.matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => path))].toSorted();
}
