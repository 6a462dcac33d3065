import { expect, test } from '@jest/globals';
import { type LockedPackages, neededBy } from './locked-packages.ts';

const lock: LockedPackages = {
  api: { dependencies: { zod: '4', '@gantry/contract': '1' }, optionalDependencies: { 'not-here': '1', faster: '1' } },
  contract: { dependencies: { croner: '1' } },
  'api/node_modules/zod': { version: '4.0.1' },
  'node_modules/@gantry/contract': { resolved: 'contract', link: true },
  'node_modules/croner': { dependencies: { inner: '1' } },
  'node_modules/croner/node_modules/inner': { dependencies: { zod: '3' } },
  'node_modules/faster': {
    peerDependencies: { peer: '1', unwanted: '1' },
    peerDependenciesMeta: { unwanted: { optional: true } },
  },
  'node_modules/peer': {},
  'node_modules/unwanted': {},
  'node_modules/jest': { dependencies: { zod: '3' } },
  'node_modules/zod': { version: '3.0.0' },
};

test('a workspace needs what it names, what that needs, and the copy that Node would find', () => {
  expect(neededBy(['api'], lock)).toEqual([
    'api',
    'api/node_modules/zod',
    'contract',
    'node_modules/@gantry/contract',
    'node_modules/croner',
    'node_modules/croner/node_modules/inner',
    'node_modules/faster',
    'node_modules/peer',
    'node_modules/zod',
  ]);
});

test('a package that the lock file lacks is named, with who wants it', () => {
  expect(() => neededBy(['api'], { api: { dependencies: { gone: '1' } } })).toThrow(
    'package-lock.json has no gone, which api depends on',
  );
});
