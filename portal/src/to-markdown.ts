// A rendered page as Markdown: headings, paragraphs, lists, tables, links and code of its main part. It reads what React writes, which
// is well formed, and no other HTML.
interface Element {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (Element | string)[];
}

const EMPTY = new Set(['br', 'hr', 'img', 'input', 'link', 'meta', 'path', 'source', 'wbr']);
/** What only a person in front of a screen uses. */
const LEFT_OUT = new Set(['button', 'input', 'nav', 'script', 'select', 'style', 'svg', 'template', 'textarea']);

export function markdownOf(html: string): string {
  const main = find(parsed(html), 'main');
  return main === undefined
    ? ''
    : `${blocks(main)
        .join('\n\n')
        .replace(/\n{3,}/g, '\n\n')
        .trim()}\n`;
}

function parsed(html: string): Element {
  const root: Element = { tag: '', attributes: {}, children: [] };
  const open = [root];
  for (const [, comment, end, start, rest, text] of html.matchAll(
    /(<!--.*?-->)|<\/([\w-]+)>|<([\w-]+)([^>]*)>|([^<]+)/gs,
  )) {
    const parent = open.at(-1) ?? root;
    if (comment !== undefined) continue;
    if (text !== undefined) parent.children.push(decoded(text));
    else if (end !== undefined) {
      if (open.length > 1) open.pop();
    } else if (start !== undefined) {
      const element: Element = { tag: start, attributes: attributesIn(rest ?? ''), children: [] };
      parent.children.push(element);
      if (!EMPTY.has(start)) open.push(element);
    }
  }
  return root;
}

const attributesIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, decoded(value)]),
  );

function find(element: Element, tag: string): Element | undefined {
  if (element.tag === tag) return element;
  for (const child of element.children) {
    const found = typeof child === 'string' ? undefined : find(child, tag);
    if (found) return found;
  }
  return undefined;
}

const INLINE = new Set([
  'a',
  'abbr',
  'b',
  'bdi',
  'br',
  'code',
  'data',
  'del',
  'em',
  'i',
  'img',
  'label',
  'small',
  'span',
  'strong',
  'sub',
  'sup',
  'time',
  'wbr',
]);

/** Elements on lines of their own, and runs of text between them. */
function blocks({ children }: Element): string[] {
  const found: string[] = [];
  let line: (Element | string)[] = [];
  const flush = () => {
    const text = inline(line).trim();
    if (text !== '') found.push(text);
    line = [];
  };
  for (const child of children) {
    if (typeof child === 'string' || INLINE.has(child.tag)) line.push(child);
    else if (!LEFT_OUT.has(child.tag)) {
      flush();
      found.push(...block(child));
    }
  }
  flush();
  return found;
}

function block(element: Element): string[] {
  const { tag } = element;
  const level = /^h([1-6])$/.exec(tag)?.[1];
  if (level !== undefined) return [`${'#'.repeat(Number(level))} ${inline(element.children).trim()}`];
  if (tag === 'pre') return [`\`\`\`\n${textOf(element).replace(/\n$/, '')}\n\`\`\``];
  if (tag === 'ul' || tag === 'ol') return [listOf(element)];
  if (tag === 'table') return [tableOf(element)];
  if (tag === 'dl')
    return [element.children.flatMap((child) => (typeof child === 'string' ? [] : pairIn(child))).join('\n')];
  if (tag === 'blockquote') return [blocks(element).join('\n\n').replace(/^/gm, '> ')];
  if (tag === 'hr') return ['---'];
  return blocks(element);
}

/** A term and what it is, alone or within an element around both. */
const pairIn = (element: Element): string[] => {
  const text = inline(element.children).trim();
  if (element.tag === 'dt') return [`- **${text}**`];
  if (element.tag === 'dd') return [`  ${text}`];
  return element.children.flatMap((child) => (typeof child === 'string' ? [] : pairIn(child)));
};

const listOf = ({ tag, children }: Element): string =>
  children
    .filter((child): child is Element => typeof child !== 'string' && child.tag === 'li')
    .map((item, index) => `${tag === 'ol' ? `${index + 1}.` : '-'} ${blocks(item).join('\n').replaceAll('\n', '\n  ')}`)
    .join('\n');

function tableOf(table: Element): string {
  const rows = all(table, 'tr').map((row) =>
    row.children
      .filter((cell): cell is Element => typeof cell !== 'string')
      .map((cell) => blocks(cell).join(' ').replaceAll('\n', ' ').replaceAll('|', '\\|')),
  );
  const [head = [], ...others] = rows;
  return [head, head.map(() => '---'), ...others].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const all = (element: Element, tag: string): Element[] =>
  element.children.flatMap((child) => (typeof child === 'string' ? [] : child.tag === tag ? [child] : all(child, tag)));

const MARKS: Readonly<Record<string, string>> = { strong: '**', b: '**', em: '*', i: '*', del: '~~' };

function inline(nodes: readonly (Element | string)[]): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return node.replace(/\s+/g, ' ').replace(/([*_`<[\]])/g, '\\$1');
      if (LEFT_OUT.has(node.tag)) return '';
      if (node.tag === 'br') return '\n';
      if (node.tag === 'img') return '';
      if (node.tag === 'code') return `\`${textOf(node)}\``;
      const text = inline(node.children);
      if (node.tag === 'a') return node.attributes.href ? `[${text.trim()}](${node.attributes.href})` : text;
      const mark = text.trim() === '' ? '' : (MARKS[node.tag] ?? '');
      return `${mark}${text}${mark}`;
    })
    .join('');
}

const textOf = (element: Element): string =>
  element.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('');

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'", '#39': "'" };
const decoded = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#x27|#39);/g, (_, name: string) => ENTITIES[name] ?? '');
