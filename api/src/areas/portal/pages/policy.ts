// What the portal's pages may load: their own files, and the inline texts that were rendered into them, by their hashes.
import { createHash } from 'node:crypto';

const hashed = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

export function policyOf(inline: { scripts: readonly string[]; styles: readonly string[] }): string {
  const directives: Readonly<Record<string, readonly string[]>> = {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...inline.scripts.map(hashed)],
    // The empty one is the sheet that the browser's styles are then inserted into.
    'style-src': ["'self'", ...inline.styles.map(hashed), hashed('')],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'"],
    'manifest-src': ["'self'"],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ');
}

/** For answers that are no page. */
export const NO_PAGE = "default-src 'none'; frame-ancestors 'none'";
