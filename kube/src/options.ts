// A process's configuration: one table that yields flags, environment, checks and --help. A flag wins over the environment. A
// wrong value gets one sentence that names the option and the rule.
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as z from 'zod';

const UNIT_MS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `90s`, `15m`, `1h`; yields milliseconds. */
export const duration = z
  .string()
  .regex(/^[0-9]{1,9}(ms|s|m|h)$/, 'must be a number and a unit, such as 500ms, 90s, 15m or 1h')
  .transform((text) => Number.parseInt(text, 10) * (UNIT_MS[text.replace(/[0-9]+/, '')] as number));
export const named = z.string().min(1, 'must not be empty');
/** A value that a label can have. */
export const labelValue = z
  .string()
  .regex(/^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/, 'must be 1 to 63 letters, digits, -, _ and .');
export const flag = z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true');
export const port = z.coerce
  .number('must be a port')
  .int('must be a port')
  .min(0, 'must be a port')
  .max(65535, 'must be a port');
export const choice = <const T extends readonly [string, ...string[]]>(words: T) =>
  z.enum(words, `must be one of ${words.join(', ')}`);
/** Comma-separated; yields a list without empty entries. */
export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);
/** A key that Kubernetes would refuse is refused in every Pod that tolerates it. */
export const taintKey = z
  .string()
  .regex(
    /^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/,
    'must be a key of a taint such as nvidia.com/gpu',
  );
export const taintKeys = list.pipe(z.array(taintKey));

export interface Option<Schema extends z.ZodType> {
  default: string;
  schema: Schema;
  words: string;
}
export const option = <Schema extends z.ZodType>(schema: Schema, byDefault: string, words: string): Option<Schema> => ({
  default: byDefault,
  schema,
  words,
});

export type Options = Readonly<Record<string, Option<z.ZodType>>>;
export type ValuesOf<Table extends Options> = { [K in keyof Table]: z.output<Table[K]['schema']> };

/** A sentence for the person who started the process. */
export class BadConfig extends Error {
  override readonly name = 'BadConfig';
}

/** A unit belongs to the value here, so the option's name goes without: createTimeoutMs, --create-timeout=15m. */
const flagOf = (name: string): string =>
  name.replace(/Ms$/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const variableOf = (name: string): string => `GANTRY_${flagOf(name).replaceAll('-', '_').toUpperCase()}`;

/** Gives 'help' when asked for it. Throws BadConfig. */
export function readOptions<Table extends Options>(
  table: Table,
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ValuesOf<Table> | 'help' {
  const flags = readFlags(Object.keys(table), args);
  if (flags.help) return 'help';
  return Object.fromEntries(
    Object.entries(table).map(([name, { schema, default: byDefault }]) => {
      const text = flags[flagOf(name)] ?? environment[variableOf(name)] ?? byDefault;
      const parsed = schema.safeParse(text);
      if (parsed.success) return [name, parsed.data];
      const where = flags[flagOf(name)] === undefined ? variableOf(name) : `--${flagOf(name)}`;
      throw new BadConfig(`${where}: "${text}" ${parsed.error.issues[0]?.message}`);
    }),
  ) as ValuesOf<Table>;
}

function readFlags(names: readonly string[], args: readonly string[]): Record<string, string | boolean | undefined> {
  const options = Object.fromEntries(names.map((name) => [flagOf(name), { type: 'string' as const }]));
  try {
    return parseArgs({ args: [...args], options: { ...options, help: { type: 'boolean', short: 'h' } } }).values;
  } catch (error) {
    throw new BadConfig(`${(error as Error).message.split('. ')[0]}; --help lists the options`);
  }
}

/** An option as --help and the chart tell of it. */
export interface OptionFacts {
  /** Without the dashes. */
  flag: string;
  variable: string;
  byDefault: string;
  words: string;
  /** The allowed values, if they are a fixed list. */
  choices: readonly string[];
}

export const optionFacts = (table: Options): OptionFacts[] =>
  Object.entries(table).map(([name, { default: byDefault, schema, words }]) => {
    const read = schema instanceof z.ZodPipe ? schema.in : schema;
    const choices = read instanceof z.ZodEnum ? read.options.map(String) : [];
    return { flag: flagOf(name), variable: variableOf(name), byDefault, words, choices };
  });

/** The table of --help, under its title. */
export function optionsHelp(title: string, table: Options): string {
  const rows = optionFacts(table).map(
    ({ flag, variable, byDefault, words }) => [`--${flag}`, variable, byDefault || '(none)', words] as const,
  );
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [title, '', ...lines, ''].join('\n');
}

const KEY_BYTES = 32;

/** A secret of the platform's that belongs to a text: nothing has to keep it, and it is the same after a restart. */
export type Keyed = (text: string) => string;

/** Hexadecimal HMAC-SHA256 of a text by the platform's key in this file. Throws BadConfig. */
export function keyedBy(file: string): Keyed {
  const key = readKey(file);
  if (key.length < KEY_BYTES) {
    throw new BadConfig(`--platform-key-file: "${file}" holds ${key.length} bytes, fewer than ${KEY_BYTES}`);
  }
  return (text) => createHmac('sha256', key).update(text).digest('hex');
}

function readKey(file: string): Buffer {
  if (file === '') throw new BadConfig(`--platform-key-file: must name a file of ${KEY_BYTES} or more random bytes`);
  try {
    return readFileSync(file);
  } catch (error) {
    throw new BadConfig(`--platform-key-file: "${file}" cannot be read: ${(error as Error).message}`);
  }
}
