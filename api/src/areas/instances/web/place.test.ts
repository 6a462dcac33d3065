import { expect, test } from '@jest/globals';
import { labelOf, prefixIn, prefixOf } from './place.ts';

test('a host says port, instance and organisation', () => {
  expect(labelOf({ organization: 'k3x9a1b2', instance: 'ins-a1b2c3d4', port: 8888 })).toBe(
    '8888-ins-a1b2c3d4-k3x9a1b2',
  );
});

test('no two contents have one host, and every host is a DNS label', () => {
  const contents = [
    { organization: 'c', instance: 'a-b', port: 1 },
    { organization: 'b-c', instance: 'a', port: 1 },
    { organization: 'c', instance: 'b', port: 1 },
    { organization: 'c', instance: 'a-b', port: 2 },
    { organization: 'c', instance: 'a.0', port: 1 },
    { organization: 'c', instance: 'a-0', port: 1 },
    { organization: 'c', instance: 'a.1', port: 1 },
    { organization: 'k3x9a1b2', instance: 'a'.repeat(50), port: 65_535 },
    { organization: 'k3x9a1b2', instance: 'b'.repeat(50), port: 65_535 },
  ];
  const labels = contents.map(labelOf);
  expect(new Set(labels).size).toBe(contents.length);
  for (const label of labels) expect(label).toMatch(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);
});

test.each([
  ['/t/acme/dev/8888/lab?x=1', '/t/acme/dev/8888'],
  ['/t/acme/dev/8888', '/t/acme/dev/8888'],
  ['/t/acme/dev/88888888/', undefined],
  ['/t/acme/../8888/', undefined],
  ['/t/acme/train.3/8888/lab', '/t/acme/train.3/8888'],
  ['/t/acme/dev/888/3000/', '/t/acme/dev/888'],
  ['/other', undefined],
])('the prefix in %s is %s', (path, prefix) => {
  expect(prefixIn(path)).toBe(prefix);
});

test('a prefix is found again', () => {
  const prefix = prefixOf({ organization: 'acme', instance: 'dev', port: 8888 });
  expect(prefixIn(`${prefix}/`)).toBe(prefix);
});
