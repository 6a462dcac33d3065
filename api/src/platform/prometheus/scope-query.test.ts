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
    'what only says instance': ['x{pod="instance"}', `x{${IN},pod="instance"}`],
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
  const rows: Record<string, [query: string, refused: Refusal, at: number]> = {
    nothing: ['', 'syntax', 0],
    'white space': [' \n', 'syntax', 2],
    'an unclosed brace': ['up{a="b"', 'syntax', 8],
    'an unclosed string': ['up{a="b', 'syntax', 5],
    'a closed brace too many': ['up}', 'syntax', 2],
    'alternatives of matchers, which another dialect has': ['up{a="b" or namespace="org-b"}', 'syntax', 9],
    'a comment, which may end earlier for Prometheus': ['up # x', 'comment', 3],
    'a comment with a carriage return': ['up # \r or secret', 'letters', 5],
    'a query hidden in a comment line': ['up # {\n', 'comment', 3],
    'info(), which reads target_info': ['info(up)', 'info', 0],
    'info() deep inside': ['sum(rate(x[1m])) + sum(info(up, {a="b"}))', 'info', 23],
    NUL: ['up\0', 'letters', 2],
    'a no-break space': ['up\u00a0', 'letters', 2],
    'a line separator': ['up\u2028or b', 'letters', 2],
    'a letter that looks like another': ['u\u0440', 'letters', 1],
    'a matcher that asks where a server is': ['up{instance=~"10[.].*"}', 'hidden', 3],
    'the same in quotes': ['{"up","instance"="a"}', 'hidden', 6],
    'the same with an escape': ['{"up","\\x69nstance"="a"}', 'hidden', 6],
    'the same with a long escape': ['{"up","\\U00000069nstance"=~"10[.].*"}', 'hidden', 6],
    'a hidden label that is copied by a long escape': ['label_replace(up,"y","$1","\\U00000069d","")', 'hidden', 26],
    'a hidden label that is copied': ['label_replace(up,"y","$1","instance","(.*)")', 'hidden', 26],
    'a hidden label that is copied, in parentheses': ['label_replace(up,"y","$1",(("\\151d")),"(.*)")', 'hidden', 28],
    'a raw name of a hidden label that is copied': ['label_join(up,"y",",","pod",`job`)', 'hidden', 28],
    'too long a query': [`up${' '.repeat(4096)}`, 'length', 4096],
    'too many selectors': [Array.from({ length: 21 }, () => 'a').join('+'), 'selectors', 40],
    'a template of Go': ['up{{namespace}}', 'syntax', 3],
    'two expressions': ['up; up', 'syntax', 2],
    'a bare string’s escape at its end': ['"\\"', 'syntax', 0],
    'a range of more than a year': ['rate(x[2y])', 'duration', 7],
    'a duration that is calculated, which older servers do not know': ['x[1m+1m]', 'duration', 2],
    'a subquery of a million steps': ['max_over_time(x[12d:1s])', 'steps', 14],
    'labels that double until they fill a memory': [
      `${'label_join('.repeat(40)}up${',"a","","a","a")'.repeat(40)}`,
      'labels',
      0,
    ],
    'labels that are replaced by themselves, often': [
      `${'label_replace('.repeat(9)}up${',"a","$1$1","a","(.*)")'.repeat(9)}`,
      'labels',
      0,
    ],
    'one label that is copied a hundred times': [
      `sum(label_replace(up,"a","${'$1'.repeat(100)}","a","(.*)"))`,
      'labels',
      4,
    ],
    'the same, with dollars written as escapes': [
      `${'label_replace('.repeat(9)}up${',"a","\\x241\\0441","a","(.*)")'.repeat(9)}`,
      'labels',
      0,
    ],
    'a label that grows, and grows again behind a short one': [
      `${'label_replace(label_join('.repeat(3)}up${`,"a",""${',"a"'.repeat(30)}),"b","","","")`.repeat(3)}`,
      'labels',
      0,
    ],
    'a long text between many labels': [`label_join(up,"a","${'-'.repeat(1000)}"${',"b"'.repeat(20)})`, 'labels', 0],
    'subqueries whose steps multiply': ['max_over_time(max_over_time(x[1h:10s])[1d:1m])', 'steps', 28],
  };
  test.each(Object.entries(rows))('%s', (_name, [query, refused, at]) => {
    expect(scopeQuery(query, 'org-a')).toEqual({ refused, at });
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
