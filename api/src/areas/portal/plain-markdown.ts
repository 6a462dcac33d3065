// Markdown as the plain text that its readers see: for search, excerpts and descriptions. It need not be exact, but its work is linear.

/** Without fences, marks of headings, lists and emphasis, addresses of links, and tags. */
export const plainOf = (markdown: string): string =>
  markdown
    .replaceAll(/^[ \t]*(`{3,}|~{3,})[^\n]*$/gm, '')
    .replaceAll(/^[ \t]{0,8}(#{1,6}|>|[-*+]|\d{1,9}[.)])[ \t]+/gm, '')
    .replaceAll(/!?\[([^\][]{0,500})\]\([^()\s]{0,500}\)/g, '$1')
    .replaceAll(/<\/?[a-zA-Z][^<>]{0,500}>/g, '')
    .replaceAll(/[*_`|]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The beginning, or the part around a place, with an ellipsis where something is left out. Never half a character. */
export function excerptOf(text: string, at = 0, most = 200): string {
  const from = at <= most / 3 ? 0 : wholeAt(text, at - Math.floor(most / 3));
  const to = wholeAt(text, Math.min(text.length, from + most));
  return `${from > 0 ? '…' : ''}${text.slice(from, to).trim()}${to < text.length ? '…' : ''}`;
}

/** Not between the two halves of a character. */
const wholeAt = (text: string, at: number): number =>
  at > 0 && at < text.length && /[\udc00-\udfff]/.test(text[at] ?? '') ? at - 1 : at;
