// The operators' console's tables say what their rows are, in every language.
import { describe, expect, test } from '@jest/globals';
import { ADMIN_MENUS, PLATFORM_ROLES } from '../roles.ts';
import { words as en } from '../words/en/admin.ts';
import { words as ja } from '../words/ja/admin.ts';
import { words as zh } from '../words/zh/admin.ts';
import { ADMIN_TABLES } from './admin-tables.ts';

const tables = Object.entries(ADMIN_TABLES);

describe.each([
  ['en', en],
  ['zh', zh],
  ['ja', ja],
] as const)('in %s', (language, words) => {
  test.each(tables)(
    '%s has names, and so have its fields, filters and their choices',
    (name, { kind, fields, filters }) => {
      const all = Object.entries({ ...fields, ...filters });
      const names = kind ? { one: kind.one[language], many: kind.many[language] } : words.resources[name];
      const missing = [
        ...(names?.one && names.many ? [] : ['its own names']),
        ...all.filter(([field]) => !(words.fields[`${name}.${field}`] ?? words.fields[field])).map(([field]) => field),
        ...all.flatMap(([field, { choices = [] }]) =>
          choices
            .filter((value) => !(words.choices[`${name}.${field}`]?.[value] ?? words.choices[field]?.[value]))
            .map((value) => `${field}: ${value}`),
        ),
      ];
      expect(missing).toEqual([]);
    },
  );

  test('each menu and each role of the staff has a name', () => {
    const names = [...ADMIN_MENUS.map((menu) => words.menus[menu]), ...PLATFORM_ROLES.map((role) => words.roles[role])];
    expect(names.filter((name) => !name)).toEqual([]);
  });
});

test('a choice of dates, amounts and flags is known from the schema', () => {
  const { created_at, platform_roles, kind } = ADMIN_TABLES.users.fields;
  expect([created_at?.type, platform_roles?.type, kind?.type]).toEqual(['time', 'choices', 'choice']);
  expect([ADMIN_TABLES.wallets.fields.cash?.type, ADMIN_TABLES.users.filters.disabled?.type]).toEqual([
    'money',
    'flag',
  ]);
});
