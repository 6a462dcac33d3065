// The columns of a part: as hyparquet wants them, but with names of our own (a tenant's may hold dots, or be `__proto__`), and with
// what each value means, which hyparquet does not decide: it would round decimals and times.
import type { SchemaElement, SchemaTree } from 'hyparquet';
import { demand } from './broken-table.ts';
import { COLUMN_NAME_CHARS, COLUMNS, LEVELS } from './limits.ts';

/** A field of the footer's Thrift structures. */
export type Fields = { readonly [field: `field_${number}`]: unknown };

/** What a value is, and its type in DuckDB's words. `parts` counts what a decimal, or a time, has behind its point. */
export interface Form {
  readonly is:
    | 'boolean'
    | 'integer'
    | 'unsigned'
    | 'float'
    | 'decimal'
    | 'date'
    | 'time'
    | 'timestamp'
    | 'interval'
    | 'uuid'
    | 'text'
    | 'bytes'
    | 'nothing'
    | 'list'
    | 'map'
    | 'struct';
  readonly type: string;
  readonly parts?: number;
  readonly isUtc?: boolean;
}

/** One row of the footer's schema. */
export interface Element {
  readonly name: string;
  readonly physical: (typeof PHYSICAL)[number] | undefined;
  readonly bytes: number | undefined;
  readonly repetition: (typeof REPETITIONS)[number];
  readonly children: number;
  readonly form: Form;
}

export interface Column extends SchemaTree {
  readonly children: Column[];
  readonly name: string;
  readonly form: Form;
  /** Its leaves, by their place among all of the part. */
  readonly leaves: { readonly from: number; readonly to: number };
  /** From the root to here. */
  readonly way: SchemaTree[];
}

const PHYSICAL = [
  ...(['BOOLEAN', 'INT32', 'INT64', 'INT96', 'FLOAT', 'DOUBLE', 'BYTE_ARRAY', 'FIXED_LEN_BYTE_ARRAY'] as const),
];
const REPETITIONS = ['REQUIRED', 'OPTIONAL', 'REPEATED'] as const;

const INTEGERS: Readonly<Record<number, Form>> = {
  11: { is: 'unsigned', type: 'UTINYINT' },
  12: { is: 'unsigned', type: 'USMALLINT' },
  13: { is: 'unsigned', type: 'UINTEGER' },
  14: { is: 'unsigned', type: 'UBIGINT' },
  15: { is: 'integer', type: 'TINYINT' },
  16: { is: 'integer', type: 'SMALLINT' },
  17: { is: 'integer', type: 'INTEGER' },
  18: { is: 'integer', type: 'BIGINT' },
};
const PLAIN: Readonly<Record<(typeof PHYSICAL)[number], Form>> = {
  BOOLEAN: { is: 'boolean', type: 'BOOLEAN' },
  INT32: { is: 'integer', type: 'INTEGER' },
  INT64: { is: 'integer', type: 'BIGINT' },
  INT96: { is: 'bytes', type: 'INT96' },
  FLOAT: { is: 'float', type: 'FLOAT' },
  DOUBLE: { is: 'float', type: 'DOUBLE' },
  BYTE_ARRAY: { is: 'bytes', type: 'BLOB' },
  FIXED_LEN_BYTE_ARRAY: { is: 'bytes', type: 'BLOB' },
};
/** Parquet's words before it had logical types; DuckDB writes both. */
const CONVERTED = { utf8: 0, map: 1, list: 3, enum: 4, decimal: 5, date: 6, json: 19, interval: 21 };
const TIMES: Readonly<Record<number, 3 | 6>> = { 7: 3, 8: 6, 9: 3, 10: 6 };
const DECIMAL_DIGITS = 76;
export const TOO_MANY = `it has more than ${COLUMNS} columns`;

export function elementOf(fields: Fields): Element {
  const name = textOf(fields.field_4);
  demand([...name].length <= COLUMN_NAME_CHARS, 'a column has a name that is too long');
  const physical = fields.field_1 === undefined ? undefined : PHYSICAL[fields.field_1 as number];
  const children = numberOf(fields.field_5 ?? 0);
  const bytes = fields.field_2 === undefined ? undefined : numberOf(fields.field_2);
  demand(children <= COLUMNS, TOO_MANY);
  demand(children > 0 || (children === 0 && physical !== undefined), 'a column has no type');
  if (physical === 'FIXED_LEN_BYTE_ARRAY') demand(bytes !== undefined && bytes > 0, 'a column has values of no size');
  const repetition = REPETITIONS[numberOf(fields.field_3 ?? 0)];
  demand(repetition !== undefined, 'a column is neither there nor absent');
  const form = children > 0 ? groupForm(fields) : leafForm(fields, physical ?? 'BOOLEAN', bytes);
  return { name, physical: children > 0 ? undefined : physical, bytes, repetition, children, form };
}

function groupForm({ field_6: converted, field_10: logical }: Fields): Form {
  const { field_2: map, field_3: list } = (logical ?? {}) as Fields;
  if (converted === CONVERTED.list || list) return { is: 'list', type: '' };
  return { is: converted === CONVERTED.map || map ? 'map' : 'struct', type: '' };
}

function leafForm(fields: Fields, physical: (typeof PHYSICAL)[number], bytes: number | undefined): Form {
  const converted = fields.field_6 as number | undefined;
  const logical = (fields.field_10 ?? {}) as Fields;
  if (logical.field_11) return { is: 'nothing', type: '"NULL"' };
  if (converted === CONVERTED.decimal && !/^(BOOLEAN|FLOAT|DOUBLE)$/.test(physical)) return decimalForm(fields);
  if (physical === 'BYTE_ARRAY') return textForm(converted, logical) ?? PLAIN.BYTE_ARRAY;
  if (physical === 'FIXED_LEN_BYTE_ARRAY') {
    if (logical.field_14 && bytes === 16) return { is: 'uuid', type: 'UUID' };
    return converted === CONVERTED.interval && bytes === 12 ? { is: 'interval', type: 'INTERVAL' } : PLAIN[physical];
  }
  if (physical !== 'INT32' && physical !== 'INT64') return PLAIN[physical];
  if (physical === 'INT32' && converted === CONVERTED.date) return { is: 'date', type: 'DATE' };
  return timeForm(converted, logical) ?? INTEGERS[converted ?? -1] ?? PLAIN[physical];
}

function textForm(converted: number | undefined, logical: Fields): Form | undefined {
  if (converted === CONVERTED.json || logical.field_12) return { is: 'text', type: 'JSON' };
  const isText = converted === CONVERTED.utf8 || converted === CONVERTED.enum || logical.field_1 || logical.field_4;
  return isText ? { is: 'text', type: 'VARCHAR' } : undefined;
}

function decimalForm(fields: Fields): Form {
  const [scale, precision] = [numberOf(fields.field_7 ?? 0), numberOf(fields.field_8 ?? 0)];
  demand(scale >= 0 && scale <= DECIMAL_DIGITS && precision <= DECIMAL_DIGITS, 'a decimal has too many digits');
  return { is: 'decimal', type: `DECIMAL(${precision},${scale})`, parts: scale };
}

function timeForm(converted: number | undefined, logical: Fields): Form | undefined {
  const [time, timestamp] = [logical.field_7, logical.field_8] as (Fields | undefined)[];
  const said = (time ?? timestamp ?? {}) as Fields;
  const unit = (said.field_2 ?? {}) as Fields;
  const parts = unit.field_3 ? 9 : unit.field_2 ? 6 : unit.field_1 ? 3 : TIMES[converted ?? -1];
  if (parts === undefined) return undefined;
  const isUtc = said.field_1 === true;
  const zone = isUtc ? ' WITH TIME ZONE' : '';
  if (time || converted === 7 || converted === 8) return { is: 'time', type: `TIME${zone}`, parts, isUtc };
  return { is: 'timestamp', type: parts === 9 && !isUtc ? 'TIMESTAMP_NS' : `TIMESTAMP${zone}`, parts, isUtc };
}

/** The columns of the table. Refuses what does not add up. */
export function columnsOf(elements: readonly Element[]): Column[] {
  let next = 0;
  let leaves = 0;
  const grown = (above: readonly SchemaTree[], level: number): Column => {
    demand(level <= LEVELS, 'its columns are nested too deep');
    const at = next++;
    const element = elements[at];
    demand(element !== undefined, 'its columns do not add up');
    const from = leaves;
    // The root has no name: a path begins below it.
    const path = level === 0 ? [] : [...(above.at(-1)?.path ?? []), `s${at}`];
    // Files differ in what they say of the root.
    const read = level === 0 ? { ...element, repetition: 'REQUIRED' as const } : element;
    const node = { element: forReading(read, `s${at}`), path, count: 0, children: [] as Column[] };
    const way = [...above, node as SchemaTree];
    if (element.children === 0) leaves++;
    for (let child = 0; child < element.children; child++) node.children.push(grown(way, level + 1));
    const { children } = node;
    const form = { ...element.form, type: typeOf(element, children) };
    return Object.assign(node, { name: element.name, form, leaves: { from, to: leaves }, way });
  };
  const { children } = grown([], 0);
  demand(next === elements.length, 'its columns do not add up');
  demand(leaves <= COLUMNS, TOO_MANY);
  return children;
}

/** A map is read as a struct of a list of pairs: as an object it would lose its order, and keys such as `__proto__`. */
function forReading({ physical, bytes, repetition, children, form }: Element, name: string): SchemaElement {
  return {
    ...{ name, repetition_type: repetition },
    ...(physical && { type: physical }),
    ...(bytes !== undefined && { type_length: bytes }),
    ...(children > 0 && { num_children: children }),
    ...(form.is === 'list' && { converted_type: 'LIST' as const }),
  };
}

function typeOf({ form, children: count }: Element, children: readonly Column[]): string {
  if (count === 0) return form.type;
  const [inner] = children;
  if (form.is === 'list') {
    demand(count === 1 && inner?.element.repetition_type === 'REPEATED', 'a list has no items');
    return `${itemOf(inner)?.form.type}[]`;
  }
  if (form.is === 'map') {
    const pair = inner?.children ?? [];
    demand(count === 1 && inner?.element.repetition_type === 'REPEATED' && pair.length === 2, 'a map has no pairs');
    return `MAP(${pair.map((one) => one.form.type).join(', ')})`;
  }
  return `STRUCT(${children.map((child) => `${quoted(child.name)} ${child.form.type}`).join(', ')})`;
}

/** Of a list: what each of its items is. */
export const itemOf = (repeated: Column): Column =>
  repeated.children.length === 1 ? (repeated.children[0] as Column) : repeated;

const quoted = (name: string): string => (/^[a-z_]\w*$/i.test(name) ? name : `"${name.replaceAll('"', '""')}"`);

const decoder = new TextDecoder();
const textOf = (value: unknown): string => (value instanceof Uint8Array ? decoder.decode(value) : '');
export function numberOf(value: unknown): number {
  const number = Number(value);
  demand(Number.isSafeInteger(number), 'a number of its description is too large');
  return number;
}
