// The version of a row that staff edit: its editable fields' content. Whoever changes them, by whichever way, gives the row another
// version; what else changes of it disturbs nobody.
import { createHash } from 'node:crypto';

/** The order of an object's members means nothing. */
const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return members.map(([name, member]) => [name, canonical(member)]);
};

export const versionOf = (row: object, edits: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify(edits.map((field) => [field, canonical((row as Record<string, unknown>)[field])])))
    .digest('base64url')
    .slice(0, 16);
