// A spec as YAML: maps, lists and scalars, as `kubectl apply` reads them. Every text that could be read as anything else is quoted.

const PLAIN = /^[A-Za-z_/][A-Za-z0-9_./-]*$/;
/** Words that YAML 1.1 reads as a boolean or as null. */
const TAKEN = /^(y|n|yes|no|on|off|true|false|null)$/i;
const STEP = '  ';

/** With a line break at its end. */
export const yamlOf = (value: object): string => `${linesOf(value, '').join('\n')}\n`;

function linesOf(value: object, indent: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => itemLines(item, indent));
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .flatMap(([key, member]) => memberLines(textOf(key), member, indent));
}

function memberLines(key: string, member: unknown, indent: string): string[] {
  if (!isNested(member)) return [`${indent}${key}: ${scalarOf(member)}`];
  return [`${indent}${key}:`, ...linesOf(member, Array.isArray(member) ? indent : indent + STEP)];
}

function itemLines(item: unknown, indent: string): string[] {
  if (!isNested(item)) return [`${indent}- ${scalarOf(item)}`];
  const [first = '', ...others] = linesOf(item, indent + STEP);
  return [`${indent}- ${first.trimStart()}`, ...others];
}

const isNested = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

function scalarOf(value: unknown): string {
  if (typeof value === 'string') return textOf(value);
  if (Array.isArray(value)) return '[]';
  return typeof value === 'object' && value !== null ? '{}' : String(value);
}

const textOf = (text: string): string => (PLAIN.test(text) && !TAKEN.test(text) ? text : JSON.stringify(text));
