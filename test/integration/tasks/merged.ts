// Statuses of played clusters.

/** As a merge patch is: null takes out. */
export function merged(value: object, patch: object): object {
  const made: Record<string, unknown> = { ...value };
  for (const [name, one] of Object.entries(patch)) {
    const before = made[name];
    if (one === null) delete made[name];
    else if (typeof one !== 'object' || Array.isArray(one)) made[name] = one;
    else made[name] = merged(typeof before === 'object' && before !== null ? before : {}, one);
  }
  return made;
}
