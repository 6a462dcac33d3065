/** Whether an object already contains what was requested: whether a merge patch would change nothing. */
export function holds(object: unknown, asked: unknown): boolean {
  if (asked === null) return object === undefined;
  if (typeof asked !== 'object') return object === asked;
  if (typeof object !== 'object' || object === null) return false;
  // The API server may fill in defaults in each item of a list.
  if (Array.isArray(asked) && asked.length !== (object as unknown[]).length) return false;
  return Object.entries(asked).every(([field, value]) => holds((object as Record<string, unknown>)[field], value));
}
