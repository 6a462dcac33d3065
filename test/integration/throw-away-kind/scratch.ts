// A scratch copy of this repository with one more kind: the files of `overlay`, and a line in each of three lists. It regenerates
// generated files, checks the compiler's verdict, and builds the console.
import { lstatSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { run } from '../../../hack/run.ts';
import { filesOf, read } from '../../house/source-files.ts';

const OVERLAY = join(import.meta.dirname, 'overlay');

interface Line {
  readonly file: string;
  readonly import: string;
  /** Before the text, the row. */
  readonly before: string;
  readonly row: string;
}

const LINES: readonly Line[] = [
  {
    file: 'contract/src/kinds.ts',
    import: "import { beacon } from './kinds/beacon.ts';",
    before: '} as const satisfies',
    row: '  beacon,\n',
  },
  {
    file: 'operator/src/controllers.ts',
    import: "import { beaconController } from './kinds/beacon/plan.ts';",
    before: '  // biome-ignore',
    row: '  beacon: beaconController,\n',
  },
  {
    file: 'console/src/areas.ts',
    import: "import { beaconArea } from './areas/beacon/area.ts';",
    before: '];',
    row: '  beaconArea,\n',
  },
];

export interface Scratch {
  readonly folder: string;
  /** The built console. */
  readonly consoleDir: string;
  /** CRDs, roles and policies. */
  readonly generated: readonly string[];
  /** Our files that differ there, except generated ones. */
  readonly touched: readonly string[];
  /** Plays tests of the copy with Jest's arguments. Resolves with how many passed, by file; rejects with those that failed. */
  play(...args: readonly string[]): Promise<Readonly<Record<string, number>>>;
  remove(): Promise<void>;
}

/** Files of tests that go through a list which the kind is in now. */
export const readersOfLists = (): string[] =>
  filesOf('{contract,console,admin}/**/*.test.{ts,tsx}').filter((file) => LISTS.test(read(file)));
const LISTS = /from '.*\/(kinds|controllers|areas|admin-tables|tables)\.ts'/;

export async function makeScratch(): Promise<Scratch> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-scratch-'));
  try {
    const files = await copyTracked(folder);
    await cp(OVERLAY, folder, { recursive: true });
    for (const line of LINES) await addLine(folder, line);
    const touched = await differing(folder, files);
    await run(process.execPath, ['contract/gen/run.ts'], { cwd: folder });
    const consoleDir = join(folder, '.run/console');
    await Promise.all([
      ...['tsconfig.json', 'tsconfig.web.json'].map((project) =>
        run(process.execPath, ['node_modules/typescript7/bin/tsc', '--noEmit', '--project', project], { cwd: folder }),
      ),
      run(process.execPath, ['node_modules/vite/bin/vite.js', 'build', 'console', `--outDir=${consoleDir}`], {
        cwd: folder,
        env: { NODE_ENV: 'production' },
      }),
    ]);
    const generated = await generatedIn(folder);
    const play = (...args: readonly string[]) => playIn(folder, args);
    return { folder, consoleDir, generated, touched, play, remove: () => rm(folder, { recursive: true }) };
  } catch (error) {
    await rm(folder, { recursive: true });
    throw error;
  }
}

/** Packages are shared; the workspace's own are those of the copy. */
async function copyTracked(folder: string): Promise<readonly string[]> {
  const listed = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  // Links, and deleted files that are not committed yet, are listed too.
  const files = listed
    .split('\0')
    .filter((file) => file !== '' && lstatSync(file, { throwIfNoEntry: false })?.isFile());
  for (const file of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await cp(file, join(folder, file));
  }
  for (const packages of ['node_modules', 'api/node_modules']) {
    await mkdir(join(folder, packages), { recursive: true });
    for (const name of await readdir(packages)) {
      if (name !== '@gantry') await symlink(join(process.cwd(), packages, name), join(folder, packages, name));
    }
  }
  await cp('node_modules/@gantry', join(folder, 'node_modules/@gantry'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  return files;
}

interface Results {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

async function playIn(folder: string, args: readonly string[]): Promise<Readonly<Record<string, number>>> {
  const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js', '--json'];
  const { testResults }: Results = JSON.parse(await run(process.execPath, [...jest, ...args], { cwd: folder }));
  return Object.fromEntries(
    testResults.map(({ name, assertionResults }) => [
      relative(folder, name),
      assertionResults.filter(({ status }) => status === 'passed').length,
    ]),
  );
}

async function differing(folder: string, files: readonly string[]): Promise<readonly string[]> {
  const looked = await Promise.all(
    files.map(async (file) => {
      const [ours, theirs] = await Promise.all([readFile(file), readFile(join(folder, file))]);
      return ours.equals(theirs) ? [] : [file];
    }),
  );
  return looked.flat().sort();
}

async function addLine(folder: string, { file, import: wanted, before, row }: Line): Promise<void> {
  const path = join(folder, file);
  const [head = '', ...rest] = (await readFile(path, 'utf8')).split(/\n(?=export const )/);
  const table = rest.join('\n');
  if (!table.includes(before)) throw new Error(`${file} has no ${before}`);
  await writeFile(path, `${head}${wanted}\n\n${table.replace(before, `${row}${before}`)}`);
}

async function generatedIn(folder: string): Promise<readonly string[]> {
  const below = async (path: string) =>
    (await readdir(path)).filter((name) => name.endsWith('.yaml')).map((name) => join(path, name));
  return [...(await below(join(folder, 'crds'))), ...(await below(join(folder, 'crds/platform'))).sort()];
}
