/** Whether an object already contains what was requested: whether a merge patch would change nothing. */
export function isApplied(object: unknown, patch: unknown): boolean {
  if (patch === null) return object === undefined;
  if (typeof patch !== 'object') return object === patch;
  if (typeof object !== 'object' || object === null) return false;
  // The API server may fill in defaults in each item of a list.
  if (Array.isArray(patch) && patch.length !== (object as unknown[]).length) return false;
  return Object.entries(patch).every(([field, value]) => isApplied((object as Record<string, unknown>)[field], value));
}
