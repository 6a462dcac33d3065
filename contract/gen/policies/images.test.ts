// Names that an export may not take. The API server itself is asked in test/integration/policies.test.ts.
import { expect, test } from '@jest/globals';
import { imagePolicies } from './images.ts';

const rules = imagePolicies([]).find(({ name }) => name === 'gantry-exported-images')?.rules ?? [];
const [, reserved = ''] = /source\.matches\('([^']+)'\)/.exec(rules[0]?.[0] ?? '') ?? [];

test.each([
  ['dev.root:1', true],
  ['dev.home:1', true],
  ['dev.log:1', true],
  ['dev@sha256:1', true],
  ['dev.logs:1', false],
  ['log:1', false],
  ['dev:1.log', false],
])('that %s is reserved for saves: %s', (name, isReserved) => {
  expect(new RegExp(reserved).test(`registry.gantry.internal/org-acme/${name}`)).toBe(isReserved);
});
