// Keys that are the page's and not the shell's.

export type PageKey = 'copy' | 'paste' | 'search' | 'larger' | 'smaller' | 'leave';

const SHIFTED: Readonly<Record<string, PageKey>> = {
  KeyC: 'copy',
  KeyV: 'paste',
  KeyF: 'search',
  Equal: 'larger',
  Minus: 'smaller',
  // Tab and Escape are the shell's: without this key, keyboard users could never leave.
  KeyE: 'leave',
};

/** With Ctrl and Shift, which no shell can tell from Ctrl alone; on a Mac Cmd+C and Cmd+V are the browser's own. */
export const pageKey = ({
  ctrlKey,
  shiftKey,
  altKey,
  metaKey,
  code,
}: Pick<KeyboardEvent, 'ctrlKey' | 'shiftKey' | 'altKey' | 'metaKey' | 'code'>): PageKey | undefined =>
  ctrlKey && shiftKey && !altKey && !metaKey ? SHIFTED[code] : undefined;
