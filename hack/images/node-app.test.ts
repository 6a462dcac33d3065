// An image that runs on Node, of a small repository: what is in it, and that a second build is the same, of a copy made later too.
import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { billOfMaterials } from './bill-of-materials.ts';
import { type NodeApp, nodeApp } from './node-app.ts';

const HASH = Buffer.from('0123456789'.repeat(6)).toString('base64');
const FILES: Readonly<Record<string, string>> = {
  'package.json': '{"version":"1.0.0"}',
  'operator/package.json': '{"name":"@gantry/operator"}',
  'operator/src/main.ts': 'main',
  'operator/src/main.test.ts': 'test',
  'operator/src/testing/double.ts': 'test',
  'contract/package.json': '{"name":"@gantry/contract"}',
  'contract/src/facts.ts': 'facts',
  'kube/package.json': '{"name":"@gantry/kube"}',
  'kube/src/client.ts': 'client',
  'api/src/main.ts': 'not ours',
  'node_modules/zod/package.json': '{}',
  'node_modules/zod/index.js': 'zod',
  'node_modules/zod/index.js.map': 'map',
  'node_modules/zod/index.d.ts': 'types',
  'node_modules/zod/LICENSE': 'licence',
  'node_modules/jest/index.js': 'jest',
  'operator/node_modules/inner/index.js': 'inner',
  'crds/images.yaml': 'crd',
  'package-lock.json': JSON.stringify({
    packages: {
      operator: { dependencies: { inner: '1' }, optionalDependencies: { windows: '1' } },
      contract: { dependencies: { zod: '4' } },
      kube: {},
      'node_modules/zod': { version: '4.0.0', integrity: `sha512-${HASH}`, license: 'MIT' },
      'operator/node_modules/inner': { version: '1.0.0' },
      'node_modules/windows': { version: '1.0.0', os: ['win32'] },
      'node_modules/jest': { version: '30.0.0' },
    },
  }),
};

let folder: string;
let app: NodeApp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-app-'));
  for (const [path, content] of Object.entries(FILES)) {
    await mkdir(dirname(join(folder, 'one', path)), { recursive: true });
    await writeFile(join(folder, 'one', path), content);
  }
  await mkdir(join(folder, 'one/node_modules/@gantry'));
  for (const name of ['contract', 'kube', 'api'])
    await symlink(`../../${name}`, join(folder, `one/node_modules/@gantry/${name}`));
  // Any program of this machine that has libraries.
  await mkdir(join(folder, 'one/node_modules/node/bin'), { recursive: true });
  await cp('/usr/bin/env', join(folder, 'one/node_modules/node/bin/node'));
  app = await build('one');
});
afterAll(() => rm(folder, { recursive: true }));

const build = (name: string) =>
  nodeApp(`${folder}/${name}/`, 'operator', {
    program: 'gantry-operator',
    folders: { crds: `${folder}/${name}/crds` },
  });

const list = ({ layers }: NodeApp): string[] =>
  layers.flatMap(({ packed }) =>
    execFileSync('tar', ['--list', '--file=-'], { input: gunzipSync(packed) })
      .toString()
      .trim()
      .split('\n'),
  );

test('a second build, of a copy with other times, has the same layers', async () => {
  await cp(join(folder, 'one'), join(folder, 'two'), { recursive: true, verbatimSymlinks: true });
  const { layers } = await build('two');
  expect(layers.map(({ diffId }) => diffId)).toEqual(app.layers.map(({ diffId }) => diffId));
  expect(layers.map(({ packed }) => packed.toString('base64'))).toEqual(
    app.layers.map(({ packed }) => packed.toString('base64')),
  );
});

test('it has the program, its packages and its sources, and nothing that only builds or tests', () => {
  const files = list(app).filter((file) => !file.endsWith('/') && !file.startsWith('lib') && !file.startsWith('etc/'));
  expect(files.toSorted()).toEqual([
    'app/contract/package.json',
    'app/contract/src/facts.ts',
    'app/crds/images.yaml',
    'app/kube/package.json',
    'app/kube/src/client.ts',
    'app/node_modules/@gantry/contract',
    'app/node_modules/@gantry/kube',
    'app/node_modules/zod/LICENSE',
    'app/node_modules/zod/index.js',
    'app/node_modules/zod/package.json',
    'app/operator/node_modules/inner/index.js',
    'app/operator/package.json',
    'app/operator/src/main.ts',
    'app/package.json',
    'usr/bin/gantry-operator',
    'usr/bin/node',
  ]);
  expect(list(app)).toEqual(expect.arrayContaining(['etc/passwd', 'tmp/', expect.stringMatching(/\/libc\.so\.6$/)]));
});

test('the bill of materials names each package once, with the hash that the lock file has', async () => {
  const text = await billOfMaterials(
    { name: 'operator', version: '1' },
    { npm: app.packages, debianFiles: app.fromDebian, others: ['pkg:generic/node@24.0.0'] },
  );
  const { components } = JSON.parse(text) as { components: { purl: string }[] };
  expect(components.map(({ purl }) => purl.replace(/@[^@]*$/, ''))).toEqual([
    'pkg:deb/debian/libc6',
    'pkg:generic/node',
    'pkg:npm/inner',
    'pkg:npm/zod',
  ]);
  expect(components.at(-1)).toMatchObject({
    name: 'zod',
    version: '4.0.0',
    licenses: [{ expression: 'MIT' }],
    hashes: [{ alg: 'SHA-512', content: Buffer.from(HASH, 'base64').toString('hex') }],
  });
});
