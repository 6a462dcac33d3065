// Resources of the operators' console as its pages know them: which fields there are and of which type. They follow from the schemas,
// which weigh more than the console itself: its build evaluates this module, and ships what comes out (`admin/evaluated-tables.ts`).
import * as z from 'zod';
import { money } from '../fields/amounts.ts';
import { ADMIN_RESOURCES, type AdminResourceName } from './admin.ts';
import type { AdminResource } from './admin-resource.ts';
import type { AdminField, AdminTable } from './admin-table.ts';

function tableOf(
  name: string,
  {
    menu,
    kind,
    columns,
    order = ['id', 'ASC'],
    sort,
    row,
    filter,
    references = {},
    isPart = false,
    isSealed = false,
    edits = [],
  }: AdminResource,
): AdminTable {
  const fields = fieldsOf(row.shape);
  const strangers = [...columns, ...edits, ...Object.keys(references)].filter((field) => !(field in fields));
  if (strangers.length > 0) throw new Error(`${name}: no such fields: ${strangers.join(', ')}`);
  const unsorted = [order[0]].filter((field) => !sort.includes(field));
  if (unsorted.length > 0) throw new Error(`${name}: a list cannot be sorted by ${unsorted.join(', ')}`);
  const missing = Object.values(references).filter((other) => !(other in ADMIN_RESOURCES));
  if (missing.length > 0) throw new Error(`${name}: no such resources: ${missing.join(', ')}`);
  return { menu, kind, columns, order, sort, fields, filters: fieldsOf(filter), references, isPart, isSealed, edits };
}

const fieldsOf = (shape: z.ZodRawShape): Record<string, AdminField> =>
  Object.fromEntries(Object.entries(shape).map(([field, schema]) => [field, fieldOf(schema as z.ZodType)]));

interface Json {
  type?: string;
  format?: string;
  pattern?: string;
  enum?: (string | number)[];
  const?: string | number;
  anyOf?: Json[];
  items?: Json;
  properties?: Record<string, Json>;
}

const jsonOf = (schema: z.ZodType): Json => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json;
const MONEY = jsonOf(money).pattern;

const fieldOf = (schema: z.ZodType): AdminField => typeOf(bare(jsonOf(schema)));

/** Without null, and without the list of several that a filter takes as well. */
function bare(json: Json): Json {
  const [first, ...others] = (json.anyOf ?? []).filter(({ type }) => type !== 'null');
  if (!first) return json;
  const isOneOf = others.length === 1 && others[0]?.type === 'array';
  if (others.length === 0 || isOneOf) return bare(first);
  const values = [first, ...others].map(({ const: value }) => value);
  return values.every((value) => value !== undefined) ? { enum: values as (string | number)[] } : json;
}

function typeOf(json: Json): AdminField {
  const choices = json.enum;
  if (choices) return { type: 'choice', choices };
  if (json.format === 'date-time') return { type: 'time' };
  if (json.pattern !== undefined && json.pattern === MONEY) return { type: 'money' };
  if (json.type === 'boolean') return { type: 'flag' };
  if (json.type === 'integer' || json.type === 'number') return { type: 'number' };
  if (json.type === 'array') {
    const items = json.items?.enum;
    return items ? { type: 'choices', choices: items } : { type: 'list' };
  }
  if (json.type !== 'object') return { type: 'text' };
  const keys = Object.keys(json.properties ?? {}).sort();
  return { type: keys.join() === 'en,ja,zh' ? 'phrases' : 'json' };
}

/** Throws, naming the resource, where a column, an order or a reference is no field of its row. */
export const ADMIN_TABLES = Object.fromEntries(
  Object.entries<AdminResource>(ADMIN_RESOURCES).map(([name, resource]) => [name, tableOf(name, resource)]),
) as Record<AdminResourceName, AdminTable>;
export type AdminTableName = keyof typeof ADMIN_TABLES;
