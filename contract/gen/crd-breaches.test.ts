// Each way in which a new CRD could break what the last release promised is seen, and what only adds or loosens is not.
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { type Crd, complaintsOf, crdBreaches, promisesOf, type Schema } from './crd-breaches.ts';
import { readRelease } from './released.ts';

const crdWith = (spec: Schema, changes: Partial<Crd['spec']> = {}, version: object = {}): Crd => ({
  metadata: { name: 'disks.gantry.dev' },
  spec: {
    scope: 'Namespaced',
    names: { kind: 'Disk', plural: 'disks', shortNames: ['dk'] },
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        subresources: { status: {} },
        additionalPrinterColumns: [{ name: 'Phase' }],
        schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        ...version,
      },
    ],
    ...changes,
  },
});

/** The field `spec.a` before and after. */
const FIELDS: Record<string, { was: Schema; is: Schema | undefined; breach: string }> = {
  'a field is removed': { was: { type: 'string' }, is: undefined, breach: 'the field was removed' },
  'a type changes': {
    was: { type: 'string' },
    is: { type: 'integer' },
    breach: 'its type was "string" and is "integer"',
  },
  'a default changes': { was: { default: 1 }, is: { default: 2 }, breach: 'its default was 1 and is 2' },
  'a default is removed': { was: { default: false }, is: {}, breach: 'its default was false and is absent' },
  'a default is added to a field that was absent until now': {
    was: {},
    is: { default: 'x' },
    breach: 'its default was absent and is "x"',
  },
  'a maximum falls': { was: { maximum: 9 }, is: { maximum: 8 }, breach: 'its maximum was 9 and is 8' },
  'a length is limited': { was: {}, is: { maxLength: 63 }, breach: 'its maxLength was absent and is 63' },
  'fewer items are taken': { was: { maxItems: 9 }, is: { maxItems: 1 }, breach: 'its maxItems was 9 and is 1' },
  'a minimum rises': { was: { minimum: 0 }, is: { minimum: 1 }, breach: 'its minimum was 0 and is 1' },
  'an empty text is refused': { was: {}, is: { minLength: 1 }, breach: 'its minLength was absent and is 1' },
  'a pattern comes': { was: {}, is: { pattern: '^a$' }, breach: 'its pattern was absent and is "^a$"' },
  'a pattern changes': { was: { pattern: 'a' }, is: { pattern: 'b' }, breach: 'its pattern was "a" and is "b"' },
  'a format comes': { was: {}, is: { format: 'date-time' }, breach: 'its format was absent and is "date-time"' },
  'a value is removed': { was: { enum: ['A', 'B'] }, is: { enum: ['A'] }, breach: 'the value "B" was removed' },
  'only some values are taken': { was: {}, is: { enum: ['A'] }, breach: 'it takes only some values now: "A"' },
  'null is refused': { was: { nullable: true }, is: {}, breach: 'its nullable was true and is absent' },
  'a member becomes required': {
    was: { properties: { b: {} } },
    is: { properties: { b: {} }, required: ['b'] },
    breach: 'b is required now',
  },
  'a new member is required': {
    was: { properties: {} },
    is: { properties: { c: {} }, required: ['c'] },
    breach: 'c is required now',
  },
  'a rule is added': {
    was: { 'x-kubernetes-validations': [{ rule: 'self > 0' }] },
    is: { 'x-kubernetes-validations': [{ rule: 'self > 0' }, { rule: 'self < 9' }] },
    breach: 'a rule was added: self < 9',
  },
  'a list gets other keys': {
    was: { 'x-kubernetes-list-map-keys': ['name'] },
    is: { 'x-kubernetes-list-map-keys': ['type'] },
    breach: 'its x-kubernetes-list-map-keys was ["name"] and is ["type"]',
  },
  'unknown members are dropped': {
    was: { 'x-kubernetes-preserve-unknown-fields': true },
    is: {},
    breach: 'its x-kubernetes-preserve-unknown-fields was true and is absent',
  },
};

const specOf = (field: Schema | undefined): Schema => ({ type: 'object', properties: field ? { a: field } : {} });

test.each(Object.entries(FIELDS))('%s', (_, { was, is, breach }) => {
  const breaches = [`disks.gantry.dev v1alpha1 spec.a: ${breach}`];
  expect(crdBreaches([crdWith(specOf(was))], [crdWith(specOf(is))])).toEqual(breaches);
  expect(crdBreaches([promisesOf(crdWith(specOf(was)))], [crdWith(specOf(is))])).toEqual(breaches);
});

test('breaches are found at any depth, with their path', () => {
  const deep = (most: number): Schema => ({
    properties: {
      list: { items: { properties: { map: { additionalProperties: { maxLength: most } } } } },
    },
  });
  expect(crdBreaches([crdWith(deep(9))], [crdWith(deep(8))])).toEqual([
    'disks.gantry.dev v1alpha1 spec.list[].map{}: its maxLength was 9 and is 8',
  ]);
  const open: Schema = { properties: { map: { additionalProperties: { type: 'string' } } } };
  expect(crdBreaches([crdWith(open)], [crdWith({ properties: { map: {} } })])).toEqual([
    'disks.gantry.dev v1alpha1 spec.map{}: names of one’s own are not taken any more',
  ]);
});

const SAME = crdWith({});
const version = {
  name: 'v1alpha1',
  served: true,
  schema: { openAPIV3Schema: SAME.spec.versions[0]?.schema.openAPIV3Schema ?? {} },
};
const KINDS: Record<string, { now: Crd[]; breaches: string[] }> = {
  'a kind is removed': { now: [], breaches: ['disks.gantry.dev: the kind was removed'] },
  'a scope changes': {
    now: [crdWith({}, { scope: 'Cluster' })],
    breaches: ['disks.gantry.dev: its scope was Namespaced and is Cluster'],
  },
  'a kind is renamed, and loses its short name': {
    now: [crdWith({}, { names: { kind: 'Disc', plural: 'disks' } })],
    breaches: ['disks.gantry.dev: its kind was Disk and is Disc', 'disks.gantry.dev: the short name dk was removed'],
  },
  'a version is removed': {
    now: [crdWith({}, {}, { name: 'v1' })],
    breaches: ['disks.gantry.dev v1alpha1: the version was removed'],
  },
  'a version is not served any more': {
    now: [crdWith({}, {}, { served: false })],
    breaches: ['disks.gantry.dev v1alpha1: the version is not served any more'],
  },
  'a scale counts something else': {
    now: [crdWith({}, {}, { subresources: { status: { of: 'another' } } })],
    breaches: ['disks.gantry.dev v1alpha1: the subresource status was {} and is {"of":"another"}'],
  },
  'a subresource and a column go': {
    now: [crdWith({}, { versions: [version] })],
    breaches: [
      'disks.gantry.dev v1alpha1: the subresource status was removed',
      'disks.gantry.dev v1alpha1: the column Phase was removed',
    ],
  },
};
test.each(Object.entries(KINDS))('%s', (_, { now, breaches }) => {
  expect(crdBreaches([SAME], now)).toEqual(breaches);
  expect(crdBreaches([promisesOf(SAME)], now)).toEqual(breaches);
});

test('what adds or loosens is no breach', () => {
  const before = specOf({
    ...{ type: 'integer', maximum: 9, minimum: 1, pattern: 'a', enum: [1], required: ['x'] },
    'x-kubernetes-validations': [{ rule: 'self > 0' }],
    properties: { x: {} },
  });
  const after: Schema = {
    type: 'object',
    properties: {
      a: {
        ...{ type: 'integer', maximum: 10, minimum: 0, enum: [1, 2], description: 'now with words' },
        properties: { x: {}, y: { default: 1 } },
        required: ['y'],
      },
      b: { type: 'string', maxLength: 3 },
    },
  };
  const added = { ...SAME, metadata: { name: 'others.gantry.dev' } };
  expect(crdBreaches([crdWith(before)], [crdWith(after), added])).toEqual([]);
});

test('an accepted breach is left out; one that is none any more is to be taken from the list', () => {
  expect(complaintsOf(['a', 'b'], { a: 'nobody had it' })).toEqual(['b']);
  expect(complaintsOf([], { a: 'nobody had it' })).toEqual(['accepted and no breach: a']);
});

test('what is stored has no words, and breaks as the whole does', () => {
  const worded = (field: Schema): Schema => ({
    description: 'Of all.',
    properties: {
      description: { description: 'Of a field with this name.', ...field },
      list: { items: { description: 'Of one.' } },
    },
    additionalProperties: { description: 'Of another.' },
    'x-kubernetes-validations': [{ rule: 'self > 0', message: 'in words' } as { rule: string }],
  });
  const stored = promisesOf(crdWith(worded({ maxLength: 9 })));
  expect(stored.spec.versions[0]?.schema.openAPIV3Schema.properties?.spec).toEqual({
    properties: { description: { maxLength: 9 }, list: { items: {} } },
    additionalProperties: {},
    'x-kubernetes-validations': [{ rule: 'self > 0' }],
  });
  expect(crdBreaches([stored], [crdWith(worded({ maxLength: 9 }))])).toEqual([]);
  expect(crdBreaches([stored], [crdWith(worded({ maxLength: 8 }))])).toEqual([
    'disks.gantry.dev v1alpha1 spec.description: its maxLength was 9 and is 8',
  ]);
});

test('the stored release has the form that the generator writes, and a kind taken away from today’s is seen', () => {
  const { crds } = readRelease(fileURLToPath(new URL('released.json', import.meta.url)));
  expect(crds.length).toBeGreaterThan(5);
  expect(crdBreaches(crds, crds)).toEqual([]);
  expect(crds.every(({ spec }) => spec.versions.some(({ schema }) => schema.openAPIV3Schema.properties?.spec))).toBe(
    true,
  );
  expect(crdBreaches(crds, crds.slice(1))).toEqual([`${crds[0]?.metadata.name}: the kind was removed`]);
});
