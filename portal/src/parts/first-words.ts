// The beginning of a Markdown text without its marks, as a page's description.
const MOST = 160;

/** The first paragraph; '' if there is none. Cut after a word where it is long. */
export function firstWords(markdown: string): string {
  const paragraph = markdown
    .replace(/^(```|~~~)[\s\S]*?^\1/gm, '')
    .split(/\n\s*\n/)
    .map((text) => text.trim())
    .find((text) => text !== '' && !/^([#>|-]|\d+\.|\* )/.test(text));
  const plain = (paragraph ?? '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]*>/g, '')
    .replace(/[*_`~]/g, '')
    .replace(/\s+/g, ' ');
  const letters = [...plain];
  if (letters.length <= MOST) return plain;
  return `${letters
    .slice(0, MOST)
    .join('')
    .replace(/\s+\S*$/, '')}…`;
}
