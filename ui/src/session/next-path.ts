// The page after signing in: the one that the person wanted before, as long as it is a page of ours.

const HOME = '/home';
/** From these one would come back here at once. */
const ENTRY = new Set(['/login', '/register', '/forgot']);

/** `next` of the address; a path on this origin, else home. */
export function nextPath(next: string | null, origin = location.origin): string {
  // A browser treats `\` as `/`, and drops tabs and line breaks: it must agree with us that this is a path.
  if (next === null || !URL.canParse(next, origin)) return HOME;
  const { origin: target, pathname, search, hash } = new URL(next, origin);
  const isOurs = next.startsWith('/') && target === origin && !pathname.startsWith('//');
  if (!isOurs || ENTRY.has(pathname)) return HOME;
  return `${pathname}${search}${hash}`;
}

/** Keeps `next` on the way from one page of the entry to another. */
export const withNext = (path: string, next: string | null): string =>
  next === null ? path : `${path}?next=${encodeURIComponent(next)}`;
