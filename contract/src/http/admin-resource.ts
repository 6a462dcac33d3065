// A resource of the operators' console, as one row of facts. Its list, page, filters and references follow from the row, and so do the
// routes that serve it.
import * as z from 'zod';
import type { AdminMenu } from '../roles.ts';
import type { AdminKindTable } from './admin-table.ts';

const MOST_AT_ONCE = 1000;

export interface AdminResource {
  menu: AdminMenu;
  one: string;
  /** Set for resources that list the objects of a kind. */
  kind?: AdminKindTable;
  row: z.ZodObject;
  /** Fields that a list shows, in order. */
  columns: readonly string[];
  /** How a list begins: by its id where absent. */
  order?: readonly [field: string, order: 'ASC' | 'DESC'];
  /** Fields of a row that a list may be sorted by. */
  sort: readonly string[];
  /** Fields that must be equal, or one of several; `q` is looked for in the row's names. `id` may always be asked for. */
  filter: z.ZodRawShape;
  /** Fields that hold the id of another resource's row. */
  references?: Readonly<Record<string, string>>;
  /** Its menu has no tab for it: it is reached from other rows. */
  isPart?: boolean;
  /** Every look at a row is audited by itself: no file holds many. */
  isSealed?: boolean;
  /**
   * Fields that a PUT changes, or decides by. Their content is the row's `version`: a PUT that names an older one is refused with
   * edited_meanwhile.
   */
  edits?: readonly string[];
}

/** A row as it is sent: with its version, if it can be edited. */
export const wireRow = ({ row, edits }: AdminResource): z.ZodObject =>
  edits ? row.extend({ version: z.string().meta({ description: 'Of the fields that can be edited.' }) }) : row;

/** The answer to a PUT: the row, with its new version if it can be edited. */
export const editedRow = <Shape extends z.ZodRawShape>(row: z.ZodObject<Shape>) =>
  row.extend({ version: z.string().optional().meta({ description: 'Of the fields that can be edited.' }) });

export const approval_id = z.string().nullable().meta({
  description: 'Nothing is given yet, until another person approves this. Null: it is done.',
});

/** The answer to a call that gives value: the row, or the request alone if a second person has to approve it. */
export const givenRow = <Shape extends z.ZodRawShape>(row: z.ZodObject<Shape>) => row.partial().extend({ approval_id });

/** A value, or several of which any matches. */
export const oneOf = <T extends z.ZodType>(value: T) => z.union([value, z.array(value).max(MOST_AT_ONCE)]).optional();
export const q = { q: z.string().min(1).max(100).optional() };
export const time = z.iso.datetime();

/**
 * react-admin sends the whole row with a PUT: fields that cannot be changed are accepted and ignored. `version` is the one that its
 * sender saw.
 */
export const ignored = (row: z.ZodObject): Record<string, z.ZodOptional<z.ZodUnknown>> =>
  Object.fromEntries([...Object.keys(row.shape), 'version'].map((field) => [field, z.unknown().optional()]));
