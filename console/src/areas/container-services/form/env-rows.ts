// Environment variables as a form holds them: plain ones, and secret ones whose values nobody reads again.

/** The place of a secret variable's value. */
interface KeptSecret {
  secret: string;
  key: string;
}

export interface EnvRow {
  name: string;
  /** Empty for a kept secret, until another value replaces it. */
  value: string;
  isSecret: boolean;
  /** Set for a plain one: its value names others. Set by API alone, and kept. */
  expand?: true | undefined;
  kept?: KeptSecret | undefined;
}

interface EnvSpec {
  env?: readonly { name: string; value?: string | undefined; expand?: boolean | undefined }[] | undefined;
  secretEnv?: readonly ({ name: string } & KeptSecret)[] | undefined;
}

/** `leaves` tells secrets that cannot be kept, such as those of another object: their values have to be entered again. */
export const envRowsOf = ({ env = [], secretEnv = [] }: EnvSpec, leaves?: (secret: string) => boolean): EnvRow[] => [
  ...env.map(({ name, value = '', expand }) => ({ name, value, isSecret: false, ...(expand && { expand }) })),
  ...secretEnv.map(({ name, secret, key }) => ({
    name,
    value: '',
    isSecret: true,
    ...(!leaves?.(secret) && { kept: { secret, key } }),
  })),
];

const isKept = ({ isSecret, kept, value }: EnvRow): boolean => isSecret && kept !== undefined && value === '';
const isNewSecret = (row: EnvRow): boolean => row.isSecret && !isKept(row);
const isPlain = ({ isSecret }: EnvRow): boolean => !isSecret;

/** Which rows make which member of the body, each in its order. */
const MEMBERS = { env: isPlain, secrets: isNewSecret, secretEnv: isKept } as const;

/** The members of a body. A value that replaces a secret's goes with the new ones. */
export function envBodyOf(rows: readonly EnvRow[]) {
  const [env, secrets] = [rows.filter(isPlain), rows.filter(isNewSecret)].map((each) =>
    each.map(({ name, value, isSecret, expand }) => ({
      name: name.trim(),
      value,
      ...(expand && !isSecret && { expand }),
    })),
  );
  const secretEnv = rows.flatMap((row) => (isKept(row) && row.kept ? [{ name: row.name.trim(), ...row.kept }] : []));
  return {
    ...(env && env.length > 0 && { env }),
    ...(secretEnv.length > 0 && { secretEnv }),
    ...(secrets && secrets.length > 0 && { secrets }),
  };
}

/** The row that `secrets.0.name` is about: `env.3.name`. Other fields are as they are. */
export function rowField(field: string, rows: readonly EnvRow[]): string {
  const [member = '', at, ...rest] = field.split(/[.[\]]+/).filter((part) => part !== '');
  if (!(member in MEMBERS) || at === undefined) return field;
  const row = rowsOf(member as keyof typeof MEMBERS, rows)[Number(at)];
  return row === undefined ? field : ['env', row, ...rest].join('.');
}

const rowsOf = (member: keyof typeof MEMBERS, rows: readonly EnvRow[]): number[] =>
  rows.flatMap((row, index) => (MEMBERS[member](row) ? [index] : []));

/** Errors of the body's members, each at its row. */
export function errorsAtRows<Errors extends object>(errors: Errors, rows: readonly EnvRow[]): Errors {
  const { env, secrets, secretEnv, ...others } = errors as Record<string, unknown>;
  const atRows: unknown[] = [];
  const ofGroups: unknown[] = [];
  for (const [member, list] of Object.entries({ env, secrets, secretEnv })) {
    if (!Array.isArray(list)) {
      if (list !== undefined) ofGroups.push(list);
      continue;
    }
    const places = rowsOf(member as keyof typeof MEMBERS, rows);
    list.forEach((error, at) => {
      const place = places[at];
      if (place !== undefined && error !== undefined) atRows[place] = error;
    });
  }
  if (atRows.length > 0) return { ...others, env: atRows } as Errors;
  return (ofGroups.length > 0 ? { ...others, env: ofGroups[0] } : others) as Errors;
}

/** For a draft: no value of a secret outlives the page. */
export const withoutSecretValues = <Values extends { env: EnvRow[] }>(values: Values): Values => ({
  ...values,
  env: values.env.map((row) => (row.isSecret ? { ...row, value: '' } : row)),
});
