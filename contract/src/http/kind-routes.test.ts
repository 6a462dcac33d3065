// Routes and bodies of kinds against the kinds' own facts: what a new field or action may not slip past.
import { expect, test } from '@jest/globals';
import type { KindFacts } from '../define-kind.ts';
import { KINDS } from '../kinds.ts';
import { KIND_ROUTES, KIND_ROUTES_BY_ID } from './kind-routes.ts';

const routes = Object.values(KIND_ROUTES_BY_ID);
const namespaced = (Object.values(KINDS) as KindFacts[]).filter(({ scope }) => scope === 'Namespaced');
const writable = namespaced.filter(({ tenants }) => tenants === 'write');

test('every id is given once', () => {
  expect(routes).toHaveLength(Object.values(KIND_ROUTES).flatMap((area) => Object.values(area)).length);
});

test.each(namespaced.map((facts) => [facts.kind, facts] as const))('%s can be listed and read', (_, facts) => {
  const paths = routes.map(({ method, path }) => `${method} ${path}`);
  expect(paths).toEqual(expect.arrayContaining([`GET /${facts.collection}`, `GET /${facts.collection}/{id}`]));
});

test.each(writable.map((facts) => [facts.kind, facts] as const))(
  'whoever may call the commands of %s has the right that each of its rows asks for',
  (_, facts) => {
    const route = routes.find(({ path }) => path === `/${facts.collection}/{id}/action`);
    expect(route?.access).toEqual({ right: 'use' });
    expect([...new Set(Object.values(facts.actions).map(({ right }) => right))]).toEqual(['use']);
  },
);

test.each(writable.map((facts) => [facts.kind, facts] as const))(
  'of %s nobody says who made it, and what commands change is changed by commands alone',
  (_, facts) => {
    for (const method of ['POST', 'PUT']) {
      const verb = method === 'PUT' ? 'update' : 'create';
      const route = routes.find((one) => one.id === `${verb}${facts.api?.names[0]}`);
      for (const field of ['creator', 'power', 'rebootCount', 'official', 'files']) {
        const { error } = route?.body?.safeParse({ [field]: 'x' }) ?? {};
        expect(error?.issues).toContainEqual(expect.objectContaining({ code: 'unrecognized_keys', keys: [field] }));
      }
    }
  },
);

test('a creation has the defaults of the spec, a change has none', () => {
  const wish = { displayName: 'a', image: 'a/b:1', gpu: { model: 'H100' } };
  expect(KIND_ROUTES.gpuInstance.create.body.parse(wish)).toMatchObject({
    cores: 2,
    gpu: { count: 1 },
    homeDisk: { sizeGi: 20 },
  });
  expect(KIND_ROUTES.gpuInstance.change.body.parse({ gpu: { model: 'H100' }, homeDisk: {} })).toEqual({
    gpu: { model: 'H100' },
    homeDisk: {},
  });
});

test('a change takes away only what may be absent', () => {
  const { body } = KIND_ROUTES.gpuInstance.change;
  expect(body.safeParse({ gpu: null, env: null, host: null }).success).toBe(true);
  for (const field of ['cores', 'image', 'homeDisk', 'displayName'])
    expect(body.safeParse({ [field]: null }).success).toBe(false);
});

test('a change takes members of a field away as well, but none of an entry of a list', () => {
  const { body } = KIND_ROUTES.fineTune.change;
  const dataset = 'dst-1';
  const parameters = { epochs: null, maxSteps: 10, batch: null };
  expect(body.parse({ parameters, evalDataset: { dataset, version: null } })).toEqual({
    parameters,
    evalDataset: { dataset, version: null },
  });
  expect(body.safeParse({ base: { model: null } }).success).toBe(false);
  expect(body.safeParse({ datasets: [{ dataset, version: null }] }).success).toBe(false);
  expect(KIND_ROUTES.fineTune.create.body.shape.parameters.safeParse({ epochs: null }).success).toBe(false);
});

test('limits of the spec hold at any depth', () => {
  const { body } = KIND_ROUTES.gpuInstance.create;
  const wish = { displayName: 'a', image: 'a/b:1' };
  expect(body.safeParse({ ...wish, homeDisk: { sizeGi: 5121 } }).error?.issues[0]?.path).toEqual([
    'homeDisk',
    'sizeGi',
  ]);
  expect(body.safeParse({ ...wish, env: [{ name: 'A', colour: 'red' }] }).error?.issues[0]).toMatchObject({
    code: 'unrecognized_keys',
    path: ['env', 0],
  });
});
