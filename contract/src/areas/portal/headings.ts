// The headings of a Markdown text, and the ids by which links find them.
export interface Heading {
  readonly level: 2 | 3;
  readonly text: string;
}

/** Those outside of blocks of code, without the marks of emphasis and code within. Each text once. */
export function headingsOf(markdown: string): readonly Heading[] {
  const found = new Map<string, Heading>();
  let fence: string | undefined;
  for (const line of markdown.split('\n')) {
    const mark = /^ {0,3}(```|~~~)/.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || fence === mark)) fence = fence === undefined ? mark : undefined;
    const heading = fence === undefined ? /^(#{1,3}) +(.+?)[ #]*$/.exec(line) : null;
    if (!heading) continue;
    const text = (heading[2] ?? '').replace(/[*_`]/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
    found.set(text, { level: heading[1] === '###' ? 3 : 2, text });
  }
  return [...found.values()];
}

/** Letters and digits of any language, joined by hyphens. */
export const idOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[*_`]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
