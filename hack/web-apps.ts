// The web apps, each built once per content: the folder's name is a hash of all inputs, so that a running gateway keeps its build,
// and nothing is built twice.
import { createHash } from 'node:crypto';
import { existsSync, globSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { run } from './run.ts';

const repository = fileURLToPath(new URL('..', import.meta.url));
type App = 'console' | 'admin' | 'portal';

const sourcesOf = (app: App): readonly string[] => [
  `${app}/*.{html,json,ts}`,
  `${app}/{public,src}/**/*`,
  'ui/package.json',
  'ui/src/**/*',
  'contract/src/**/*.ts',
  'package.json',
  'package-lock.json',
];
const isTest = (file: string) => /\.test\.tsx?$/.test(file);

/** The folder with the tenants' console as a gateway serves it, built now unless it is there. */
export const builtConsole = (): Promise<string> => built('console');
/** The same of the operators' console. */
export const builtAdmin = (): Promise<string> => built('admin');
/** The portal: `client` is what browsers load, `server` what the gateway renders with. */
export const builtPortal = (): Promise<string> => built('portal');

/** The runs of Vite that make an app, by their output below the build's folder. The portal's server names the files of its client. */
const RUNS: Readonly<Record<App, Readonly<Record<string, readonly string[]>>>> = {
  console: { '': [] },
  admin: { '': [] },
  portal: { '/client': [], '/server': ['--ssr', 'src/server.tsx'] },
};

async function built(app: App): Promise<string> {
  // No cluster has such a name: a cluster has its folder in .run, too.
  const builds = `${repository}.run/.apps/${app}`;
  const folder = `${builds}/${await contentHash(app)}`;
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.${process.pid}`;
  await mkdir(builds, { recursive: true });
  try {
    for (const [below, more] of Object.entries(RUNS[app])) {
      const build = ['node_modules/vite/bin/vite.js', 'build', app, '--logLevel=warn'];
      const args = [...build, ...more, `--outDir=${unfinished}${below}`];
      // Tests run with another, which would bring React's checks along.
      await run(process.execPath, args, { cwd: repository, env: { NODE_ENV: 'production' } });
    }
    await rename(unfinished, folder).catch((error: Error) => {
      // Somebody else was faster with the same.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  await removeOld(builds, folder);
  return folder;
}

async function contentHash(app: App): Promise<string> {
  const hash = createHash('sha256');
  const files = globSync([...sourcesOf(app)], { cwd: repository }).filter((file) => !isTest(file));
  for (const file of files.sort()) {
    if (!statSync(`${repository}${file}`).isFile()) continue;
    hash.update(`${file}\0`).update(await readFile(`${repository}${file}`));
  }
  return hash.digest('hex').slice(0, 12);
}

/** All but this one, those that a gateway serves, and those that are being built. */
async function removeOld(builds: string, folder: string): Promise<void> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry));
  const commands = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  for (const name of await readdir(builds)) {
    const build = `${builds}/${name}`;
    const isInUse = commands.some((command) => command.includes(build));
    if (build !== folder && !isInUse) await rm(build, { recursive: true, force: true });
  }
}
