// Packages that must not come along with one that we use, and where all others come from.
import { expect, test } from '@jest/globals';
import { filesOf, read } from './source-files.ts';

interface Locked {
  version?: string;
  /** Absent: the registry that npm is configured for. */
  resolved?: string;
  integrity?: string;
  /** One of our own folders. */
  link?: boolean;
  devDependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(read('package-lock.json')) as {
  packages: Readonly<Record<string, Locked>>;
};
const named = (name: string) => Object.entries(packages).filter(([path]) => path.endsWith(`node_modules/${name}`));

test('there is one client of the API server, ours: the operator kit shares it', () => {
  const versions = named('@kubernetes/client-node').map(([, { version }]) => version);
  expect(versions).toEqual([packages['']?.devDependencies?.['@kubernetes/client-node']]);
});

test('the retired request package, which the old client brings, is not among the packages', () => {
  expect([...named('request'), ...named('@types/request')]).toEqual([]);
});

test('every package of others has a checksum, and comes from a registry', () => {
  const others = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
  const loose = others.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''));
  const elsewhere = others.filter(
    ([, { resolved }]) => resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/'),
  );
  expect({ loose, elsewhere }).toEqual({ loose: [], elsewhere: [] });
  expect(others.length).toBeGreaterThan(1_000);
});

test('every Go module has a checksum, and is the one that its name says', () => {
  const files = filesOf('agent/go.mod', 'hack/**/go.mod');
  expect(files.length).toBeGreaterThan(4);
  const guilty = files.flatMap((file) => {
    const [text, sums] = [read(file), read(file.replace(/mod$/, 'sum'))];
    const wanted = new Map(
      [...text.matchAll(/^(?:require)?\s+(\S+\.\S+) (v\S+)/gm)].map(([, name, version]) => [name, version]),
    );
    const replaced = [...text.matchAll(/^\s*(?:replace )?(\S+)(?: v\S+)? => (\S+)(?: (v\S+))?/gm)];
    for (const [, name, by, version] of replaced) if (name === by && wanted.has(name)) wanted.set(name, version);
    const isSummed = ([name, version]: [string | undefined, string | undefined]) =>
      sums.includes(`${name} ${version} h1:`) || sums.includes(`${name} ${version}/go.mod h1:`);
    const others = replaced.filter(([, name, by]) => name !== by).map(([all]) => all.trim());
    return [...others, ...[...wanted].filter((one) => !isSummed(one)).map(([name]) => name)].map(
      (what) => `${file}: ${what}`,
    );
  });
  expect(guilty).toEqual([]);
});
