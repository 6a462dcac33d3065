// What is wrong with the text of a page: what the HTML parser complains of, elements that a browser would put elsewhere than where they
// stand, ids that two elements have, and references to ids that none has.
import { type DefaultTreeAdapterTypes, type ParserError, parse } from 'parse5';

type Element = DefaultTreeAdapterTypes.Element;

/** None is the only good result. */
export function htmlFaults(html: string): string[] {
  const errors: ParserError[] = [];
  const elements = elementsIn(html, (error) => errors.push(error));
  return [
    ...errors.map(({ code, startLine }) => `${code} in line ${startLine}`),
    ...displaced(
      html,
      elements.map(({ tagName }) => tagName),
    ),
    ...idFaults(elements),
  ];
}

/** In the order of the document, as a browser that runs no scripts builds it. */
export function elementsIn(html: string, onError?: (error: ParserError) => void): Element[] {
  const found: Element[] = [];
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if ('tagName' in node) found.push(node);
    if ('childNodes' in node) node.childNodes.forEach(visit);
  };
  visit(parse(html, { scriptingEnabled: false, ...(onError && { onParseError: onError }) }));
  return found;
}

export const attributeOf = ({ attrs }: Element, name: string): string | undefined =>
  attrs.find((one) => one.name === name)?.value;

/** A `<div>` in a `<p>` ends the paragraph, a `<tr>` outside of a table is gone: the tree has other elements than the text, or in another order. */
function displaced(html: string, built: readonly string[]): string[] {
  const body = html.replaceAll(/<!--.*?-->/gs, '').replaceAll(/(<(script|style)\b[^>]*>).*?(?=<\/\2>)/gs, '$1');
  const written = [...body.matchAll(/<([a-z][\w-]*)/gi)].map(([, name = '']) => name.toLowerCase());
  const at = written.findIndex((name, index) => name.toLowerCase() !== built[index]?.toLowerCase());
  if (at === -1 && built.length === written.length) return [];
  return [
    `element ${at} is written as <${written.slice(Math.max(0, at - 3), at + 1).join('> <')}>, built as <${built[at]}>`,
  ];
}

const REFERENCES = ['aria-labelledby', 'aria-describedby', 'aria-controls', 'for'] as const;

function idFaults(elements: readonly Element[]): string[] {
  const ids = elements.flatMap((one) => attributeOf(one, 'id') ?? []);
  const known = new Set(ids);
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  const nowhere = elements.flatMap((one) =>
    REFERENCES.flatMap((name) => attributeOf(one, name)?.split(/\s+/) ?? []).filter((id) => !known.has(id)),
  );
  return [
    ...twice.map((id) => `two elements have the id "${id}"`),
    ...nowhere.map((id) => `no element has the id "${id}"`),
  ];
}
