// Two people edit one row: which fields the second decides about, and what is saved then.
import { expect, test } from '@jest/globals';
import { type Conflict, Conflicts, differencesOf, mergedOf, type Row } from './conflicts.ts';

const before = { id: 'acc-1', name: 'ann', version: '1', disabled_at: null, platform_roles: ['support'] };
const conflictOf = (mine: Row, theirs: Row): Conflict => ({
  name: 'users',
  mine: { ...before, reason: 'why', ...mine },
  theirs: { ...before, version: '2', ...theirs },
  before,
});
const told = (conflict: Conflict) => differencesOf(conflict).map(({ field, suggestion }) => [field, suggestion]);

test.each<[string, Conflict, unknown]>([
  [
    'a field that both have changed is to be chosen',
    conflictOf({ platform_roles: ['finance'] }, { platform_roles: ['catalogue'] }),
    [['platform_roles', undefined]],
  ],
  [
    'a field that only they have changed is theirs, and one that only I have changed is mine',
    conflictOf({ platform_roles: ['finance'] }, { disabled_at: '2026-01-01T00:00:00Z' }),
    [
      ['platform_roles', 'mine'],
      ['disabled_at', 'theirs'],
    ],
  ],
  [
    'what both have changed to the same is no difference',
    conflictOf({ platform_roles: ['finance'] }, { platform_roles: ['finance'] }),
    [],
  ],
  [
    'a wish that is no field of the row is mine',
    conflictOf({ disabled: true }, { platform_roles: [] }),
    [
      ['disabled', 'mine'],
      ['platform_roles', 'theirs'],
    ],
  ],
  ['what is no content of the row is never asked about', conflictOf({ reason: 'another' }, { name: 'anna' }), []],
  [
    'where nobody knows what the form began with, whatever differs is mine',
    { ...conflictOf({ platform_roles: ['finance'] }, { platform_roles: [] }), before: undefined },
    [['platform_roles', 'mine']],
  ],
])('%s', (_, conflict, differences) => {
  expect(told(conflict)).toEqual(differences);
});

test('the order of an object’s members is no difference', () => {
  const row = { id: 'acme', version: '1', quota: { gpus: 1, cores: 2 } };
  const conflict = { name: 'organizations', mine: row, theirs: { ...row, quota: { cores: 2, gpus: 1 } }, before: row };
  expect(differencesOf(conflict as Conflict)).toEqual([]);
});

test('what is saved names the present version, and has the chosen values', () => {
  const conflict = conflictOf({ disabled: true, platform_roles: ['finance'] }, { platform_roles: ['catalogue'] });
  expect(mergedOf(conflict, { platform_roles: 'theirs', disabled: 'mine' })).toEqual({
    ...before,
    reason: 'why',
    version: '2',
    disabled: true,
    platform_roles: ['catalogue'],
  });
  expect(mergedOf(conflict, { platform_roles: 'mine', disabled: 'theirs' })).not.toHaveProperty('disabled');
});

test('a second question gives up the first', async () => {
  const conflicts = new Conflicts();
  const first = conflicts.ask(conflictOf({}, {}));
  const second = conflicts.ask(conflictOf({}, {}));
  expect(await first).toBeUndefined();
  conflicts.current()?.answer({ id: 'merged' });
  expect([await second, conflicts.current()]).toEqual([{ id: 'merged' }, undefined]);
});
