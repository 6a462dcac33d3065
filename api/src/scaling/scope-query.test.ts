import { describe, expect, test } from '@jest/globals';
import { parser } from '@prometheus-io/lezer-promql';
import * as fc from 'fast-check';
import { type Refusal, scopeQuery } from './scope-query.ts';

const IN = 'namespace="org-a"';

describe('every selector is confined', () => {
  const rows: Record<string, [query: string, scoped: string]> = {
    'a bare name': ['up', `up{${IN}}`],
    'empty matchers': ['up{}', `up{${IN},}`],
    'its own matchers, which must hold too': ['up{a="b"}', `up{${IN},a="b"}`],
    'a matcher of another namespace, with which nothing is found': [
      'up{namespace="org-b"}',
      `up{${IN},namespace="org-b"}`,
    ],
    'a matcher of all namespaces': ['up{namespace=~".*"}', `up{${IN},namespace=~".*"}`],
    'a quoted label of the same name': ['up{"namespace"!="org-a"}', `up{${IN},"namespace"!="org-a"}`],
    'a quoted metric name': ['{"a.b"}', `{${IN},"a.b"}`],
    'no name at all': ['{__name__=~".+"}', `{${IN},__name__=~".+"}`],
    'a trailing comma': ['up{a="b",}', `up{${IN},a="b",}`],
    'a range': ['rate(x[5m])', `rate(x{${IN}}[5m])`],
    'a subquery with offset': ['max_over_time(x[5m:1m] offset 1h)', `max_over_time(x{${IN}}[5m:1m] offset 1h)`],
    'both sides of an operator': ['a / on (b) group_left c', `a{${IN}} / on (b) group_left c{${IN}}`],
    'set operators': ['a or b unless c', `a{${IN}} or b{${IN}} unless c{${IN}}`],
    'an aggregation': ['sum by (namespace) (x)', `sum by (namespace) (x{${IN}})`],
    'a forged label of the result': [
      'label_replace(x, "namespace", "org-b", "", "")',
      `label_replace(x{${IN}}, "namespace", "org-b", "", "")`,
    ],
    'braces inside of strings': ['x{a="}"} + y{a=\'{\'}', `x{${IN},a="}"} + y{${IN},a='{'}`],
    'a quote inside of a string': ['x{a="\\"}"}', `x{${IN},a="\\"}"}`],
    'a raw string with a backslash at its end': ['x{a=`\\`} + y', `x{${IN},a=\`\\\`} + y{${IN}}`],
    'a moment': ['x @ end()', `x{${IN}} @ end()`],
    'a name with colons': ['namespace:x:rate5m', `namespace:x:rate5m{${IN}}`],
    'several lines': ['a\n+\nb', `a{${IN}}\n+\nb{${IN}}`],
    'no selector': ['time() + 1', 'time() + 1'],
  };
  test.each(Object.entries(rows))('%s', (_name, [query, scoped]) => {
    expect(scopeQuery(query, 'org-a')).toEqual({ query: scoped });
  });
});

describe('refused is', () => {
  const rows: Record<string, [query: string, refused: Refusal]> = {
    nothing: ['', 'syntax'],
    'white space': [' \n', 'syntax'],
    'an unclosed brace': ['up{a="b"', 'syntax'],
    'an unclosed string': ['up{a="b', 'syntax'],
    'a closed brace too many': ['up}', 'syntax'],
    'alternatives of matchers, which another dialect has': ['up{a="b" or namespace="org-b"}', 'syntax'],
    'a comment, which may end earlier for Prometheus': ['up # x', 'comment'],
    'a comment with a carriage return': ['up # \r or secret', 'letters'],
    'a query hidden in a comment line': ['up # {\n', 'comment'],
    'info(), which reads target_info': ['info(up)', 'info'],
    'info() deep inside': ['sum(rate(x[1m])) + sum(info(up, {a="b"}))', 'info'],
    NUL: ['up\0', 'letters'],
    'a no-break space': ['up\u00a0', 'letters'],
    'a line separator': ['up\u2028or b', 'letters'],
    'a letter that looks like another': ['uр', 'letters'],
    'too long a query': [`up${' '.repeat(1024)}`, 'length'],
    'too many selectors': [Array.from({ length: 21 }, () => 'a').join('+'), 'selectors'],
    'a template of Go': ['up{{namespace}}', 'syntax'],
    'two expressions': ['up; up', 'syntax'],
    'a bare string’s escape at its end': ['"\\"', 'syntax'],
  };
  test.each(Object.entries(rows))('%s', (_name, [query, refused]) => {
    expect(scopeQuery(query, 'org-a')).toEqual({ refused });
  });
});

test('a namespace that is none is never written into a query', () => {
  for (const namespace of ['', 'a"} or b{x="', 'A', 'a'.repeat(64), 'a\n'])
    expect(() => scopeQuery('up', namespace)).toThrow('is no namespace');
});

test('whatever is let through has no selector without the namespace, and is let through again', () => {
  const words = [
    'up',
    '{',
    '}',
    '"',
    "'",
    '`',
    '\\',
    '#',
    '\n',
    ',',
    'a="b"',
    '(',
    ')',
    'sum',
    '[5m]',
    ' or ',
    '=~',
    '@',
    'by',
    '1',
  ];
  void fc.assert(
    fc.property(fc.array(fc.constantFrom(...words), { maxLength: 14 }), (parts) => {
      const scoped = scopeQuery(parts.join(''), 'org-a');
      if ('refused' in scoped) return;
      let selectors = 0;
      parser.parse(scoped.query).iterate({
        enter({ name, type, node }) {
          expect(type.isError).toBe(false);
          if (name !== 'VectorSelector') return;
          selectors++;
          const first = node.getChild('LabelMatchers')?.firstChild;
          expect(first && scoped.query.slice(first.from, first.to)).toBe(IN);
        },
      });
      expect(scopeQuery(scoped.query, 'org-a')).toHaveProperty('query');
      expect(scoped.query.split(IN).length - 1).toBeGreaterThanOrEqual(selectors);
    }),
    { numRuns: 2000 },
  );
});
