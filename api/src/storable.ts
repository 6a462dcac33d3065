/** Text as SQL can store it: neither NUL nor half a surrogate, each of which becomes U+FFFD. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');
