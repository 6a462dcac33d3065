// Every list of the operators' console as a CSV file: one route per resource, derived from its row. Columns are the row's fields by
// their names on the wire, so that a script reads them in any language.
import * as z from 'zod';
import { ADMIN_RESOURCES, type AdminResourceName, adminListQuery, pascal } from './admin.ts';
import type { AdminResource } from './admin-resource.ts';
import { defineRoute } from './define-route.ts';

/** `adminExportUsers`. */
export const adminExportId = (name: AdminResourceName) => `adminExport${pascal(name)}`;

export const EXPORTED = (Object.keys(ADMIN_RESOURCES) as AdminResourceName[]).filter(
  (name) => (ADMIN_RESOURCES[name] as AdminResource).isSealed !== true,
);

/** Fields for buttons and colours, which nobody reads. */
const FOR_PAGES: ReadonlySet<string> = new Set(['commands', 'tone']);

/** Fields that a file has. What an object is made of, its spec and status, is for its own page. */
export const exportedFields = ({ row }: Pick<AdminResource, 'row'>): string[] =>
  Object.entries(row.shape as Record<string, z.ZodType>).flatMap(([field, schema]) =>
    isOpen(schema) || FOR_PAGES.has(field) ? [] : [field],
  );

const isOpen = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodRecord && (schema.valueType as z.ZodType) instanceof z.ZodUnknown;

const exportOf = (name: AdminResourceName) =>
  defineRoute({
    id: adminExportId(name),
    method: 'GET',
    path: `/admin/${name}/export`,
    tag: 'admin',
    summary: `The list of ${name} with its filter and order as CSV; X-Total-Count says how many rows come. It is audited.`,
    access: { platform: ADMIN_RESOURCES[name].menu },
    query: adminListQuery(ADMIN_RESOURCES[name]).omit({ range: true }),
    answer: { file: 'text/csv' },
    exempt: true,
    problems: ['admin_query_rule'],
  });

/** By the routes' ids. */
export const ADMIN_EXPORTS = Object.fromEntries(EXPORTED.map(exportOf).map((route) => [route.id, route]));
