// Confines a tenant's PromQL to the series of one namespace, in the syntax tree. Pure. It refuses whatever it does not fully
// understand: a query that our grammar and Prometheus's own parser read differently would reach another tenant's series.
import { parser } from '@prometheus-io/lezer-promql';
import { HIDDEN_LABELS } from './hidden-labels.ts';

const MOST_LETTERS = 4096;
/** Each reads series. */
const MOST_SELECTORS = 20;
/** Evaluations of nested subqueries, multiplied, for one point of the answer. */
const MOST_STEPS = 11_000;
/** The longest label that a query may write, if the labels that it copies are as long as usual ones. */
const MOST_LABEL_LETTERS = 16 * 1024;
const USUAL_LABEL_LETTERS = 256;
/** Prometheus's own where a subquery names none. */
const DEFAULT_STEP_MS = 60_000;
const UNIT_MS = { ms: 1, s: 1e3, m: 6e4, h: 36e5, d: 864e5, w: 6048e5, y: 31_536e6 } as const;
type Unit = keyof typeof UNIT_MS;
const MOST_MS = UNIT_MS.y;

export type Refusal =
  | 'syntax'
  | 'letters'
  | 'length'
  | 'info'
  | 'comment'
  | 'hidden'
  | 'selectors'
  | 'duration'
  | 'steps'
  | 'labels';
/** `at`: where in the query, in letters from 0. */
export type Scoped = { query: string } | { refused: Refusal; at: number };

type Node = ReturnType<typeof parser.parse>['topNode'];
type Rule = (query: string, node: Node) => Refusal | false;

/** Functions that write the value of one label into another. */
const COPYING: ReadonlySet<string> = new Set(['LabelReplace', 'LabelJoin']);

const matcher: Rule = (query, { firstChild }) => firstChild !== null && namesHidden(query, firstChild) && 'hidden';

/** Why a query may not contain a node of the tree, by the node's name. */
const RULES: Readonly<Record<string, Rule>> = {
  // It reads target_info, whatever the selectors say.
  Info: () => 'info',
  // Prometheus ends a comment at a carriage return, the grammar here at a line feed alone.
  LineComment: () => 'comment',
  StringLiteral(query, node) {
    // The grammar lets a string end with the query.
    if (!isClosed(textOf(query, node))) return 'syntax';
    return isCopied(node) && namesHidden(query, node) && 'hidden';
  },
  UnquotedLabelMatcher: matcher,
  QuotedLabelMatcher: matcher,
  DurationExpr: (query, node) => !(milliseconds(textOf(query, node)) <= MOST_MS) && 'duration',
  SubqueryExpr: (query, node) => stepsOf(query, node) > MOST_STEPS && 'steps',
  // Each copy of a label into itself may double it: forty of them are more than Prometheus's memory, which is everybody's.
  FunctionCall: (query, node) => nameOf(node) !== '' && longestLabel(query, node) > MOST_LABEL_LETTERS && 'labels',
};

/**
 * `query` with `namespace="<namespace>"` in every selector, beside the matchers that it has: all of them must hold. Labels of a
 * result prove nothing: `label_replace` writes any. Throws where `namespace` is no DNS label.
 */
export function scopeQuery(query: string, namespace: string): Scoped {
  if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(namespace)) throw new Error(`"${namespace}" is no namespace`);
  if (query.length > MOST_LETTERS) return { refused: 'length', at: MOST_LETTERS };
  // Outside of strings Prometheus knows nothing but ASCII, and inside none of these is needed.
  const foreign = query.search(/[^\n\t -~]/);
  if (foreign >= 0) return { refused: 'letters', at: foreign };
  let first: { refused: Refusal; at: number } | undefined;
  const refuse = (refused: Refusal, at: number) => {
    first ??= { refused, at };
  };
  const inserts: { at: number; text: string }[] = [];
  parser.parse(query).iterate({
    enter({ name, type, from, to, node }) {
      if (type.isError) refuse('syntax', from);
      const refused = RULES[name]?.(query, node);
      if (refused) refuse(refused, from);
      if (name !== 'VectorSelector') return;
      if (inserts.length === MOST_SELECTORS) refuse('selectors', from);
      const matchers = node.getChild('LabelMatchers');
      inserts.push(
        matchers
          ? { at: matchers.from + 1, text: `namespace="${namespace}",` }
          : { at: to, text: `{namespace="${namespace}"}` },
      );
    },
  });
  if (first) return first;
  let scoped = '';
  let done = 0;
  for (const { at, text } of inserts) {
    scoped += query.slice(done, at) + text;
    done = at;
  }
  return { query: scoped + query.slice(done) };
}

/** Whether a text is an argument of a function that copies labels, in parentheses or not. */
function isCopied({ parent }: Node): boolean {
  let node = parent;
  while (node?.name === 'ParenExpr') node = node.parent;
  return node?.name === 'FunctionCallBody' && node.parent !== null && nameOf(node.parent) !== '';
}

/** The name of a function that copies labels; otherwise empty. */
function nameOf(call: Node): string {
  const name = call.getChild('FunctionIdentifier')?.firstChild?.name ?? '';
  return COPYING.has(name) ? name : '';
}

/** The most letters that a label of what a node yields may have. */
function longestLabel(query: string, node: Node): number {
  let longest = USUAL_LABEL_LETTERS;
  for (let child = node.firstChild; child; child = child.nextSibling)
    longest = Math.max(longest, longestLabel(query, child));
  const name = node.name === 'FunctionCall' ? nameOf(node) : '';
  if (name === '') return longest;
  const [, , third = '', ...others] = argumentsOf(query, node);
  // The third argument of label_replace is the text that is written, in which "$" copies, also as an escape; that of label_join separates
  // the labels after it. A label that is not written stays as long as it was.
  const copies = name === 'LabelJoin' ? others.length : unescaped(third).split('$').length - 1;
  const between = name === 'LabelJoin' ? others.length * third.length : third.length;
  return Math.max(longest, copies * longest + between);
}

/** As they are written. */
function argumentsOf(query: string, call: Node): string[] {
  const all: string[] = [];
  for (let one = call.getChild('FunctionCallBody')?.firstChild; one; one = one.nextSibling)
    all.push(textOf(query, one));
  return all;
}

const textOf = (query: string, { from, to }: Node): string => query.slice(from, to);

const namesHidden = (query: string, node: Node): boolean => HIDDEN_LABELS.has(unquoted(textOf(query, node)));

// A capital U is another escape than a small one.
const ESCAPE = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{3})|(.))/g;

/** The value of a Go string literal; a bare name is its own value. */
function unquoted(text: string): string {
  const [quote] = text;
  if (quote === '`') return text.slice(1, -1);
  if (quote !== '"' && quote !== "'") return text;
  return unescaped(text.slice(1, -1));
}

const unescaped = (text: string): string =>
  text.replace(ESCAPE, (_all, x, u, long, octal, letter) =>
    letter === undefined ? letterOf(Number.parseInt(x ?? u ?? long ?? octal, octal === undefined ? 16 : 8)) : letter,
  );

const letterOf = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '');

/** The steps of a subquery and those around it, multiplied. */
function stepsOf(query: string, subquery: Node): number {
  let steps = 1;
  for (let node: Node | null = subquery; node; node = node.parent) {
    if (node.name !== 'SubqueryExpr') continue;
    const [range = 0, step = DEFAULT_STEP_MS] = node
      .getChildren('DurationExpr')
      .map(({ from, to }) => milliseconds(query.slice(from, to)));
    steps *= Math.max(1, range / step);
  }
  return steps;
}

/** `1h30m`, or seconds; NaN for whatever else the grammar knows. */
function milliseconds(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * UNIT_MS.s;
  const parts = [...text.matchAll(/(\d+)(ms|[smhdwy])/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) return Number.NaN;
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNIT_MS[unit as Unit], 0);
}

function isClosed(literal: string): boolean {
  const quote = literal[0] ?? '';
  if (literal.length < 2 || !literal.endsWith(quote)) return false;
  if (quote === '`') return true;
  // An odd number of backslashes before the last quote makes it a letter of the string.
  const slashes = /\\*$/.exec(literal.slice(0, -1))?.[0].length ?? 0;
  return slashes % 2 === 0;
}
