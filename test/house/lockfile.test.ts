// Packages that must not come along with one that we use.
import { expect, test } from '@jest/globals';
import { read } from './source-files.ts';

const { packages } = JSON.parse(read('package-lock.json')) as {
  packages: Readonly<Record<string, { version?: string; devDependencies?: Readonly<Record<string, string>> }>>;
};
const named = (name: string) => Object.entries(packages).filter(([path]) => path.endsWith(`node_modules/${name}`));

test('there is one client of the API server, ours: the operator kit shares it', () => {
  const versions = named('@kubernetes/client-node').map(([, { version }]) => version);
  expect(versions).toEqual([packages['']?.devDependencies?.['@kubernetes/client-node']]);
});

test('the retired request package, which the old client brings, is not among the packages', () => {
  expect([...named('request'), ...named('@types/request')]).toEqual([]);
});
