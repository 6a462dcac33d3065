/** Whether what was asked for is there: of a merge patch, that it would change nothing any more. */
export function holds(object: unknown, asked: unknown): boolean {
  if (asked === null) return object === undefined;
  if (typeof asked !== 'object') return object === asked;
  if (typeof object !== 'object' || object === null) return false;
  // Of a list the API server may fill in defaults of each item.
  if (Array.isArray(asked) && asked.length !== (object as unknown[]).length) return false;
  return Object.entries(asked).every(([field, value]) => holds((object as Record<string, unknown>)[field], value));
}
