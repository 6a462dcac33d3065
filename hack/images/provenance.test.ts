import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Build,
  fileMaterial,
  goMaterials,
  npmMaterials,
  provenanceOf,
  readSource,
  type Statement,
} from './provenance.ts';

const REPOSITORY = 'https://git.example/gantry';
const COMMIT = '7fd1a60b01f91b314f59955a4e4d4e80d8edf11d';
const HEX = 'a'.repeat(64);

const build: Build = {
  artefacts: [{ name: 'gateway', digest: `sha256:${HEX}` }],
  source: { repository: REPOSITORY, commit: COMMIT },
  parameters: { image: 'gateway' },
  materials: [{ uri: 'pkg:npm/zod@4.6.7', digest: { sha512: 'b'.repeat(128) } }],
};

/** How many hexadecimal digits the digests have that we use: in-toto, "DigestSet". */
const DIGITS: Readonly<Record<string, number>> = { sha256: 64, sha512: 128, gitCommit: 40, dirHash1: 64 };

/** The faults of a statement against in-toto's Statement v1 and SLSA's provenance v1. */
function faultsOf({ _type, subject, predicateType, predicate }: Statement): string[] {
  const { buildDefinition, runDetails } = predicate;
  const isTypeUri = (text: string) => URL.canParse(text) && text === text.toLowerCase();
  const isDigestSet = (set: Readonly<Record<string, string>> | undefined) =>
    Object.entries(set ?? {}).length > 0 &&
    Object.entries(set ?? {}).every(([name, hex]) => new RegExp(`^[0-9a-f]{${DIGITS[name]}}$`).test(hex));
  const names = subject.map(({ name }) => name);
  const rules: Record<string, boolean> = {
    'the type of statement': _type === 'https://in-toto.io/Statement/v1',
    'the type of predicate': predicateType === 'https://slsa.dev/provenance/v1',
    'a subject': subject.length > 0,
    'a digest of each subject': subject.every(({ digest }) => isDigestSet(digest)),
    'one name of each subject': new Set(names).size === names.length,
    'a type of build': isTypeUri(buildDefinition.buildType),
    'the parameters': Object.keys(buildDefinition.externalParameters).length > 0,
    'a place or a digest of each dependency': buildDefinition.resolvedDependencies.every(
      ({ uri, digest }) => URL.canParse(uri) && (digest === undefined || isDigestSet(digest)),
    ),
    'a builder': isTypeUri(runDetails.builder.id),
  };
  return Object.keys(rules).filter((rule) => !rules[rule]);
}

test('a statement is one of in-toto’s, about SLSA’s provenance', () => {
  const statement = provenanceOf(build);
  expect(faultsOf(statement)).toEqual([]);
  expect(statement.subject).toEqual([{ name: 'gateway', digest: { sha256: HEX } }]);
  expect(statement.predicate.buildDefinition.externalParameters).toEqual({ image: 'gateway', source: REPOSITORY });
  expect(statement.predicate.buildDefinition.resolvedDependencies).toEqual([
    { uri: `git+${REPOSITORY}@${COMMIT}`, digest: { gitCommit: COMMIT } },
    ...build.materials,
  ]);
});

test.each<[string, (statement: Statement) => unknown, string]>([
  ['an older type', (one) => ({ ...one, _type: 'https://in-toto.io/Statement/v0.1' }), 'the type of statement'],
  ['nothing it is about', (one) => ({ ...one, subject: [] }), 'a subject'],
  [
    'a digest in capitals',
    (one) => ({ ...one, subject: [{ name: 'x', digest: { sha256: HEX.toUpperCase() } }] }),
    'a digest of each subject',
  ],
  ['a subject twice', (one) => ({ ...one, subject: [...one.subject, ...one.subject] }), 'one name of each subject'],
])('one with %s is found out by that check', (_, broken, rule) => {
  expect(faultsOf(broken(provenanceOf(build)) as Statement)).toEqual([rule]);
});

test('the same source gives the same bytes, in whatever order the materials were found', () => {
  const others = [...build.materials, { uri: 'pkg:golang/a@v1.0.0' }];
  const texts = [others, others.toReversed()].map((materials) => JSON.stringify(provenanceOf({ ...build, materials })));
  expect(texts[0]).toBe(texts[1]);
});

test.each(['', HEX, `sha512:${HEX}`, `sha256:${HEX.slice(1)}`])('the digest "%s" is refused', (digest) => {
  expect(() => provenanceOf({ ...build, artefacts: [{ name: 'x', digest }] })).toThrow(RangeError);
});

describe('materials', () => {
  test('of npm have the checksum of the lockfile, once for each version', () => {
    const integrity = `sha512-${Buffer.alloc(64, 1).toString('base64')}`;
    const locked = { version: '1.0.0', integrity };
    const packages = {
      '': { version: '1.1.5' },
      api: { version: '1.1.5' },
      'node_modules/@gantry/api': { link: true },
      'node_modules/@mui/material': locked,
      'api/node_modules/@mui/material': locked,
      'node_modules/other': locked,
    };
    const found = npmMaterials(JSON.stringify({ packages }), (folder) => folder !== 'node_modules/other');
    expect(found).toEqual([{ uri: 'pkg:npm/%40mui/material@1.0.0', digest: { sha512: '01'.repeat(64) } }]);
  });

  test('of npm without a checksum are refused', () => {
    const packages = { 'node_modules/loose': { version: '1.0.0' } };
    expect(() => npmMaterials(JSON.stringify({ packages }))).toThrow('node_modules/loose');
  });

  test('of Go have the hash of the module’s files, not that of its go.mod', () => {
    const sums = [
      // The example of in-toto's specification of digests.
      'github.com/marklodato/go-hello-world v0.0.1 h1:Khu2En+0gcYPZ2kuIihfswbzxv/mIHXgzPZ018Oty48=',
      'github.com/marklodato/go-hello-world v0.0.1/go.mod h1:AAAA',
    ];
    expect(goMaterials(sums.join('\n'))).toEqual([
      {
        uri: 'pkg:golang/github.com/marklodato/go-hello-world@v0.0.1',
        digest: { dirHash1: '2a1bb6127fb481c60f67692e22285fb306f3c6ffe62075e0ccf674d7c3adcb8f' },
      },
    ]);
  });

  test('of this repository’s own lockfiles make a sound statement', async () => {
    const [npm, go] = await Promise.all([readFile('package-lock.json', 'utf8'), readFile('agent/go.sum', 'utf8')]);
    const files = [fileMaterial('package-lock.json', npm), fileMaterial('agent/go.sum', go)];
    const materials = [...files, ...npmMaterials(npm), ...goMaterials(go)];
    expect(faultsOf(provenanceOf({ ...build, materials }))).toEqual([]);
    expect(files[0]?.digest).toEqual({ sha256: createHash('sha256').update(npm).digest('hex') });
    for (const uri of [
      /^pkg:npm\/zod@/,
      /^pkg:npm\/%40kubernetes\/client-node@/,
      /^pkg:golang\/golang\.org\/x\/crypto@/,
    ])
      expect(materials.filter((one) => uri.test(one.uri))).toHaveLength(1);
  });
});

describe('the source', () => {
  let folder: string;
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: folder }).toString();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'provenance-'));
    git('init', '--quiet');
    await writeFile(join(folder, 'a'), 'a');
    git('add', 'a');
    git('commit', '--quiet', '--message', 'first');
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('is the commit that is checked out, and no commit once a file differs', async () => {
    const commit = git('rev-parse', 'HEAD').trim();
    expect(await readSource(folder, REPOSITORY)).toEqual({ repository: REPOSITORY, commit });
    await writeFile(join(folder, 'b'), 'b');
    const changed = await readSource(folder, REPOSITORY);
    expect(changed).toEqual({ repository: REPOSITORY, commit: undefined });
    const statement = provenanceOf({ ...build, source: changed });
    expect(faultsOf(statement)).toEqual([]);
    expect(statement.predicate.buildDefinition.resolvedDependencies[0]).toEqual({
      uri: `git+${REPOSITORY}`,
      annotations: { modified: true },
    });
  });
});
