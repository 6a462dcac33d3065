// Help and terms are plain text with minimal markup: an empty line ends a paragraph, `- ` starts a list item, four spaces mark a
// line to type.

export type Block =
  | { readonly is: 'paragraph'; readonly text: string }
  | { readonly is: 'list'; readonly points: readonly string[] }
  | { readonly is: 'code'; readonly text: string };

export function blocksOf(text: string): Block[] {
  return text
    .split(/\n\s*\n/)
    .map((part) => part.replace(/^\n+|\s+$/g, ''))
    .filter((part) => part !== '')
    .map(blockOf);
}

function blockOf(part: string): Block {
  const lines = part.split('\n');
  if (lines.every((line) => line.startsWith('- '))) return { is: 'list', points: lines.map((line) => line.slice(2)) };
  if (lines.every((line) => line.startsWith('    '))) {
    return { is: 'code', text: lines.map((line) => line.slice(4)).join('\n') };
  }
  return { is: 'paragraph', text: lines.join(' ') };
}

/** Whether every word that is looked for stands somewhere in the text; case and width of letters make no difference. */
export function isAbout(text: string, search: string): boolean {
  const plain = (each: string) => each.normalize('NFKC').toLowerCase();
  const searched = plain(text);
  return plain(search)
    .split(/\s+/)
    .every((word) => searched.includes(word));
}
