// Confines a tenant's PromQL to the series of one namespace, in the syntax tree. Pure. It refuses whatever it does not fully
// understand: a query that our grammar and Prometheus's own parser read differently would reach another tenant's series.
import { parser } from '@prometheus-io/lezer-promql';

const MOST_LETTERS = 1024;
/** Each reads series. */
const MOST_SELECTORS = 20;

/** What a query may not contain, by its node in the tree. */
const REFUSED: Readonly<Record<string, Refusal>> = {
  // It reads target_info, whatever the selectors say.
  Info: 'info',
  // Prometheus ends a comment at a carriage return, the grammar here at a line feed alone.
  LineComment: 'comment',
};

export type Refusal = 'syntax' | 'letters' | 'length' | 'info' | 'comment' | 'selectors';
export type Scoped = { query: string } | { refused: Refusal };

/**
 * `query` with `namespace="<namespace>"` in every selector, beside the matchers that it has: all of them must hold. Labels of a
 * result prove nothing: `label_replace` writes any. Throws where `namespace` is no DNS label.
 */
export function scopeQuery(query: string, namespace: string): Scoped {
  if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(namespace)) throw new Error(`"${namespace}" is no namespace`);
  if (query.length > MOST_LETTERS) return { refused: 'length' };
  // Outside of strings Prometheus knows nothing but ASCII, and inside none of these is needed.
  if (!/^[\n\t -~]*$/.test(query)) return { refused: 'letters' };
  let refused: Refusal | undefined;
  const inserts: { at: number; text: string }[] = [];
  parser.parse(query).iterate({
    enter({ name, type, from, to, node }) {
      if (type.isError) refused ??= 'syntax';
      refused ??= REFUSED[name];
      // The grammar lets a string end with the query.
      if (name === 'StringLiteral' && !isClosed(query.slice(from, to))) refused ??= 'syntax';
      if (name !== 'VectorSelector') return;
      const matchers = node.getChild('LabelMatchers');
      inserts.push(
        matchers
          ? { at: matchers.from + 1, text: `namespace="${namespace}",` }
          : { at: to, text: `{namespace="${namespace}"}` },
      );
    },
  });
  if (refused) return { refused };
  if (inserts.length > MOST_SELECTORS) return { refused: 'selectors' };
  let scoped = '';
  let done = 0;
  for (const { at, text } of inserts) {
    scoped += query.slice(done, at) + text;
    done = at;
  }
  return { query: scoped + query.slice(done) };
}

function isClosed(literal: string): boolean {
  const quote = literal[0] ?? '';
  if (literal.length < 2 || !literal.endsWith(quote)) return false;
  if (quote === '`') return true;
  // An odd number of backslashes before the last quote makes it a letter of the string.
  const slashes = /\\*$/.exec(literal.slice(0, -1))?.[0].length ?? 0;
  return slashes % 2 === 0;
}
