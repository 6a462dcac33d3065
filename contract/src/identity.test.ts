// The identity of a restored object.
import { expect, test } from '@jest/globals';
import { identityOf } from './identity.ts';
import { gpuInstance } from './kinds/gpu-instance.ts';
import { notebookTokenText } from './kinds/notebook-token.ts';

const made = { metadata: { name: 'a', uid: 'first' } };
const restored = { metadata: { name: 'a', uid: 'second', annotations: { 'gantry.dev/identity': 'first' } } };

test('an object is known by its uid, and a restored one by the uid that it had first', () => {
  expect(identityOf(made)).toBe('first');
  expect(identityOf(restored)).toBe('first');
  expect(identityOf({ metadata: { name: 'a' } })).toBe('');
});

test('a restored instance keeps its notebook token', () => {
  const rest = {
    apiVersion: 'gantry.dev/v1alpha1',
    kind: gpuInstance.kind,
    spec: { notebookPort: 8888 },
    status: { notebookRun: 1 },
  };
  const textOf = (object: object) =>
    notebookTokenText({ ...rest, ...object } as Parameters<typeof notebookTokenText>[0]);
  expect(textOf(restored)).toBe(textOf(made));
});
