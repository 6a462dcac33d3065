// Styles as text for a `<style>`. What never changes need not go through MUI's style engine, for which a page that is worked out
// has to wait.

/** Declarations with numbers in px, and rules within by selectors that have an `&`, or by `@media` and the like. */
export interface Styles {
  readonly [nameOrSelector: string]: string | number | Styles;
}

const PLAIN_NUMBERS = new Set(['flex', 'fontWeight', 'lineHeight', 'opacity', 'zIndex']);

/** A sheet of rules by their selectors, flat: in the order in which they are written, what is within after what it is in. */
export const sheetOf = (rules: Styles): string =>
  Object.entries(rules)
    .map(([selector, styles]) => (typeof styles === 'object' ? ruleOf(selector, styles) : ''))
    .join('');

function ruleOf(selector: string, styles: Styles): string {
  if (selector.startsWith('@')) return `${selector}{${sheetOf(styles)}}`;
  let own = '';
  let within = '';
  for (const [name, value] of Object.entries(styles)) {
    if (typeof value !== 'object') own += declaration(name, value);
    else if (name.startsWith('@')) within += `${name}{${ruleOf(selector, value)}}`;
    else within += ruleOf(name.replaceAll('&', selector.includes(',') ? `:is(${selector})` : selector), value);
  }
  return (own === '' ? '' : `${selector}{${own}}`) + within;
}

function declaration(name: string, value: string | number): string {
  const isLength = typeof value === 'number' && value !== 0 && !PLAIN_NUMBERS.has(name);
  const property = name.startsWith('--') ? name : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const text = `${property}:${value}${isLength ? 'px' : ''};`;
  // Browsers of early 2023, which the build is for, know it by this name alone.
  return property === 'mask' ? `-webkit-${text}${text}` : text;
}
