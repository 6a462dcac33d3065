// Looks up a name that somebody else has chosen.

/** A member of the object's own: `constructor` and its like are no label, no gap and no row. */
export const own = <T>(of: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  of !== undefined && Object.hasOwn(of, name) ? of[name] : undefined;
