// Queries made of whatever makes an answer larger than its query: subqueries in each other, labels that are copied into themselves,
// series that are joined. What a query comes to is known from how it was made, and not from how it is read: either it is refused with
// a sentence, or it is within the bounds.
import { problemSentence } from '@gantry/contract/http/problem.ts';
import { expect, test } from '@jest/globals';
import { fc } from '../../../../test/support/seeded-fast-check.ts';
import { scopeQuery } from './scope-query.ts';

const MOST_SELECTORS = 20;
const MOST_STEPS = 11_000;
const MOST_LABEL_LETTERS = 16 * 1024;
/** The usual length of a label that exporters write. */
const USUAL_LABEL_LETTERS = 256;
/** The length of a number, which count_values makes a label of. */
const NUMBER_LETTERS = 24;

type Label = 'a' | 'b';
const LABELS = fc.constantFrom<Label>('a', 'b');

/** A query, and what it comes to. */
interface Growing {
  query: string;
  selectors: number;
  /** The lengths of labels. */
  letters: Readonly<Record<Label, number>>;
  /** The steps of nested subqueries, multiplied; the maximum over subqueries beside each other. */
  steps: number;
}
type Grow = (one: Growing) => Growing;

const leaf = (query: string, selectors: number): Growing => ({
  query,
  selectors,
  letters: { a: USUAL_LABEL_LETTERS, b: USUAL_LABEL_LETTERS },
  steps: 1,
});
const LEAVES = fc.constantFrom(
  leaf('up', 1),
  leaf('up{a=~".+"}', 1),
  leaf('rate(up[1y])', 1),
  leaf('sum_over_time(up[52w] offset 1w)', 1),
  leaf('vector(1)', 0),
  leaf('vector(time())', 0),
);

/** As many texts say it as Prometheus reads so. */
const DOLLARS = fc.constantFrom('$', '\\x24', '\\u0024', '\\U00000024', '\\044');
const GROUPS = fc.constantFrom('1', '{1}', '{all}');
const FILLER = fc.integer({ min: 0, max: 300 }).map((count) => '-'.repeat(count));
const QUOTES = fc.constantFrom('"', "'");
const PARENS = fc.constantFrom(['', ''], ['(', ')'], ['( (', ') )']);

const written = ({ letters }: Growing, label: Label, count: number) => ({ ...letters, [label]: count });
const replaced = fc
  .tuple(fc.array(fc.tuple(DOLLARS, GROUPS), { maxLength: 24 }), FILLER, QUOTES, PARENS, LABELS, LABELS)
  .map(
    ([copies, filler, quote, [opens, closes], to, from]): Grow =>
      (one) => ({
        ...one,
        query: `label_replace(${one.query}, "${to}", ${opens}${quote}${filler}${copies.flat().join('')}${quote}${closes}, "${from}", "(?P<all>.*)")`,
        letters: written(one, to, copies.length * one.letters[from] + filler.length),
      }),
  );
const joined = fc.tuple(fc.integer({ min: 1, max: 24 }), FILLER, PARENS, LABELS, LABELS).map(
  ([sources, filler, [opens, closes], to, from]): Grow =>
    (one) => ({
      ...one,
      query: `label_join(${one.query}, "${to}", ${opens}"${filler}"${closes}${`, "${from}"`.repeat(sources)})`,
      letters: written(one, to, sources * one.letters[from] + (sources - 1) * filler.length),
    }),
);

/** The same duration in several ways. */
const duration = (seconds: number) =>
  fc.constantFrom(
    `${seconds}`,
    `${seconds}s`,
    `${seconds}000ms`,
    ...(seconds > 60 && seconds % 60 > 0 ? [`${Math.floor(seconds / 60)}m${seconds % 60}s`] : []),
  );
const subquery = fc
  .tuple(fc.integer({ min: 1, max: 86_400 }), fc.constantFrom(1, 5, 60, 300))
  .chain(([range, step]) => fc.tuple(fc.constant(range / step), duration(range), duration(step)))
  .map(
    ([steps, range, step]): Grow =>
      (one) => ({
        ...one,
        query: `max_over_time(${one.query}[${range}:${step}])`,
        steps: one.steps * Math.max(1, steps),
      }),
  );
const bareSubquery = fc.integer({ min: 1, max: 600 }).map(
  (minutes): Grow =>
    (one) => ({
      ...one,
      query: `last_over_time(${one.query}[${minutes}m:] offset 5m)`,
      steps: one.steps * minutes,
    }),
);

const around =
  (before: string, after: string): Grow =>
  (one) => ({ ...one, query: `${before}${one.query}${after}` });
const PLAIN = fc.constantFrom(
  around('(', ')'),
  around('sum by (a, b) (', ')'),
  around('sort_by_label(', ', "a")'),
  around('-', ''),
);
const counted: Grow = (one) => ({
  ...one,
  query: `count_values by (a) ("b", ${one.query})`,
  letters: written(one, 'b', NUMBER_LETTERS),
});
/** A subquery takes what stands in parentheses, whatever it is. */
const grows = (growths: readonly Grow[]): Grow => {
  const inParens = around('(', ')');
  return (one) => growths.reduce((grown, grow) => grow(inParens(grown)), one);
};
const GROWTHS = fc
  .array(fc.oneof(replaced, joined, subquery, bareSubquery, PLAIN, fc.constant(counted)), { maxLength: 5 })
  .map(grows);

const OPERATORS = fc.constantFrom(
  ' or ',
  ' unless ',
  ' * on (a) group_left (b) ',
  ' / ignoring (a) group_right () ',
  ' + ',
  ' > bool ',
);
const both = (left: Growing, operator: string, right: Growing): Growing => ({
  query: `${left.query}${operator}${right.query}`,
  selectors: left.selectors + right.selectors,
  letters: { a: Math.max(left.letters.a, right.letters.a), b: Math.max(left.letters.b, right.letters.b) },
  steps: Math.max(left.steps, right.steps),
});
const GROWN = fc.tuple(LEAVES, GROWTHS).map(([one, grow]) => grow(one));
const allOf = (first: Growing, others: readonly (readonly [Growing, string])[]) =>
  others.reduce((all, [one, operator]) => both(all, operator, one), first);
const WIDE = fc.tuple(LEAVES, fc.array(fc.tuple(LEAVES, OPERATORS), { minLength: 10, maxLength: 40, size: 'max' }));
const DEEP = fc.tuple(GROWN, fc.array(fc.tuple(GROWN, OPERATORS), { maxLength: 6 }));
const QUERIES = fc
  .tuple(fc.oneof({ weight: 3, arbitrary: DEEP }, WIDE), GROWTHS)
  .map(([parts, grow]) => grow(allOf(...parts)));

test('a query of whatever grows is within the bounds, or refused with a sentence', () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(QUERIES, ({ query, selectors, letters, steps }) => {
      const scoped = scopeQuery(query, 'org-a');
      const how = 'refused' in scoped ? scoped.refused : 'passes';
      seen.set(how, (seen.get(how) ?? 0) + 1);
      if ('refused' in scoped) {
        const sentence = problemSentence(`monitor_query_${scoped.refused}`, 'en', { at: scoped.at + 1 });
        expect(sentence).toMatch(/^[A-Z].+ .+\.$/);
        // Nothing else of these is refused, and no bound that is far away.
        if (how === 'length') expect(query.length).toBeGreaterThan(4096);
        else if (how === 'steps') expect(steps).toBeGreaterThan(MOST_STEPS);
        else if (how === 'selectors') expect(selectors).toBeGreaterThan(MOST_SELECTORS);
        else expect([how, query]).toEqual(['labels', expect.stringContaining('label_')]);
        return;
      }
      expect(selectors).toBeLessThanOrEqual(MOST_SELECTORS);
      expect(steps).toBeLessThanOrEqual(MOST_STEPS);
      expect(Math.max(letters.a, letters.b)).toBeLessThanOrEqual(MOST_LABEL_LETTERS);
      expect(scoped.query.split('namespace="org-a"').length - 1).toBe(selectors);
    }),
    { numRuns: 2_000 },
  );
  // Each kind occurred often enough to matter.
  for (const how of ['passes', 'steps', 'labels', 'selectors'])
    if ((seen.get(how) ?? 0) <= 10) throw new Error(`${how}: ${seen.get(how) ?? 0} of 2000`);
});
