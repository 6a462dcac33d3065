import type { KindFacts } from '@gantry/contract/define-kind.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { expect, test } from '@jest/globals';
import { AREAS } from '../areas.ts';
import { objectAddress } from './object-address.ts';

const pages = AREAS.flatMap((area) => area.pages);

/** They are shown on the pages of their instances, and the bell says nothing of them. */
const WITHOUT_PAGE: readonly string[] = ['snapshots'];
const shown = Object.values<KindFacts>(KINDS).filter(({ api, plural }) => api && !WITHOUT_PAGE.includes(plural));

test.each(shown.map(({ plural }) => plural))('objects of %s have a page, which is also where the bell leads', (kind) =>
  expect(objectAddress(pages, { kind, id: 'x' })).toMatch(/^\/[a-z]+\/[a-z]+\/x$/),
);

test.each([
  ['a kind without a page', 'snapshots', undefined],
  ['what all objects have', 'constructor', undefined],
])('%s leads nowhere', (_, kind, address) => expect(objectAddress(pages, { kind, id: 'x' })).toBe(address));

test('an id is one part of the address', () => {
  expect(objectAddress(pages, { kind: 'datadisks', id: 'a/../b' })).toBe('/gpu/storage/a%2F..%2Fb');
});
