/** Text as SQL can store it: neither NUL nor half a surrogate, each of which becomes U+FFFD. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');

/** Characters that hide, move or end the letters beside them. */
const UNSEEN = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Text of a stranger as one line of a mail, a message or a page shows it: such a letter becomes U+FFFD. */
export const oneLine = (text: string): string => storable(text).replace(UNSEEN, '\uFFFD');
