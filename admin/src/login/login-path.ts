// The address at which somebody without a session signs in.
export const loginPath = (next: string): string =>
  next === '/' || next === '/home' ? '/login' : `/login?next=${encodeURIComponent(next)}`;
