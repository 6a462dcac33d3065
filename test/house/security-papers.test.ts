// The map of OWASP ASVS 5.0 says nothing that is not so: each requirement of levels 1 and 2 once, each test and each place that it
// names is there, and the README counts what the map has. The documents beside it name files that exist.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import * as z from 'zod';
import { filesOf, read } from './source-files.ts';

const sentence = z.string().regex(/^[A-Z/`].{8,}[.]$/);
const named = z.strictObject({ file: z.string(), name: z.string().min(4) });
const place = z.union([
  z.strictObject({ file: z.string(), section: z.string() }),
  z.strictObject({ file: z.string(), symbol: z.string() }),
  z.strictObject({ file: z.string() }),
]);
const common = {
  id: z.string(),
  level: z.union([z.literal(1), z.literal(2)]),
  /** Our own words for what it asks. */
  about: z.string().min(8).max(90),
  note: sentence.optional(),
};
const requirement = z.discriminatedUnion('state', [
  z.strictObject({ ...common, state: z.literal('test'), tests: z.array(named).min(1) }),
  z.strictObject({ ...common, state: z.literal('evidence'), evidence: z.array(place).min(1) }),
  z.strictObject({ ...common, state: z.literal('notApplicable'), reason: sentence }),
  z.strictObject({
    ...common,
    state: z.literal('gap'),
    missing: sentence,
    severity: z.enum(['low', 'medium', 'high']),
    tests: z.array(named).optional(),
  }),
]);
const map = z.strictObject({
  standard: z.literal('OWASP ASVS 5.0.0'),
  levels: z.tuple([z.literal(1), z.literal(2)]),
  requirements: z.array(requirement),
});

const { requirements } = map.parse(JSON.parse(read('security/asvs.json')));

/** The levels of each section's requirements, in order, as published. */
const PUBLISHED: Readonly<Record<string, string>> = {
  '1.1': '22',
  '1.2': '1111122223',
  '1.3': '112222222223',
  '1.4': '222',
  '1.5': '123',
  '2.1': '122',
  '2.2': '112',
  '2.3': '12223',
  '2.4': '23',
  '3.1': '3',
  '3.2': '113',
  '3.3': '12223',
  '3.4': '11222233',
  '3.5': '11122333',
  '3.6': '3',
  '3.7': '22333',
  '4.1': '12233',
  '4.2': '23333',
  '4.3': '22',
  '4.4': '1222',
  '5.1': '2',
  '5.2': '112333',
  '5.3': '113',
  '5.4': '222',
  '6.1': '122',
  '6.2': '111111112222',
  '6.3': '11223333',
  '6.4': '112233',
  '6.5': '22222333',
  '6.6': '2223',
  '6.7': '33',
  '6.8': '2222',
  '7.1': '222',
  '7.2': '1111',
  '7.3': '22',
  '7.4': '11222',
  '7.5': '223',
  '7.6': '22',
  '8.1': '1233',
  '8.2': '1123',
  '8.3': '133',
  '8.4': '23',
  '9.1': '111',
  '9.2': '1222',
  '10.1': '22',
  '10.2': '223',
  '10.3': '22223',
  '10.4': '1111122222233333',
  '10.5': '22222',
  '10.6': '22',
  '10.7': '222',
  '11.1': '2233',
  '11.2': '22233',
  '11.3': '11233',
  '11.4': '1222',
  '11.5': '23',
  '11.6': '23',
  '11.7': '33',
  '12.1': '12233',
  '12.2': '11',
  '12.3': '22223',
  '13.1': '2333',
  '13.2': '222223',
  '13.3': '2233',
  '13.4': '1222233',
  '14.1': '22',
  '14.2': '12223333',
  '14.3': '122',
  '15.1': '12233',
  '15.2': '12233',
  '15.3': '1222222',
  '15.4': '3333',
  '16.1': '2',
  '16.2': '22222',
  '16.3': '2222',
  '16.4': '222',
  '16.5': '2223',
  '17.1': '23',
  '17.2': '22223333',
  '17.3': '22',
};

const published = Object.entries(PUBLISHED).flatMap(([section, levels]) =>
  [...levels]
    .map((level, at) => ({ id: `V${section}.${at + 1}`, level: Number(level) }))
    .filter(({ level }) => level < 3),
);

test('each requirement of levels 1 and 2 is there once, in order, with its level', () => {
  expect(requirements.map(({ id, level }) => ({ id, level }))).toEqual(published);
  expect(published).toHaveLength(253);
  expect(published.filter(({ level }) => level === 1)).toHaveLength(70);
});

/** A title, or the row of a table of tests, as it stands in the file. */
function hasTest(file: string, name: string): boolean {
  const text = read(file);
  if (file.endsWith('.go')) return new RegExp(`^func ${name}\\(`, 'm').test(text);
  const spellings = [name, name.replaceAll("'", "\\'"), name.replaceAll('’', '\\u2019')];
  return spellings.some((spelling) => ["'", '"', '`'].some((quote) => text.includes(quote + spelling + quote)));
}

test('each test that it names is one, and is there', () => {
  const tests = requirements.flatMap((one) => ('tests' in one ? (one.tests ?? []) : []));
  const missing = tests.filter(
    ({ file, name }) => !/(\.test\.tsx?|_test\.go)$/.test(file) || !existsSync(file) || !hasTest(file, name),
  );
  expect(missing).toEqual([]);
  expect(tests.length).toBeGreaterThan(250);
});

const isHeading = (file: string, section: string): boolean =>
  read(file)
    .split('\n')
    .some((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === section);

test('each place that it names is there', () => {
  const places = requirements.flatMap((one) => (one.state === 'evidence' ? one.evidence : []));
  const missing = places.filter((one) => {
    if (!existsSync(one.file)) return true;
    if ('section' in one) return !isHeading(one.file, one.section);
    return 'symbol' in one && !new RegExp(`\\b${one.symbol}\\b`).test(read(one.file));
  });
  expect(missing).toEqual([]);
});

test('a test of something else would be found out', () => {
  expect(hasTest('test/house/security-papers.test.ts', 'each place that it names is there')).toBe(true);
  expect(hasTest('test/house/security-papers.test.ts', `each place that it ${'knows'} is there`)).toBe(false);
  expect(isHeading('security/controls.md', 'Sessions')).toBe(true);
  expect(isHeading('security/controls.md', 'Session')).toBe(false);
});

test('the README counts what the map has, and lists its gaps', () => {
  const readme = read('security/README.md');
  const counted = ['test', 'evidence', 'notApplicable', 'gap'].map((state) => {
    const all = requirements.filter((one) => one.state === state);
    return [state, all.filter(({ level }) => level === 1).length, all.filter(({ level }) => level === 2).length];
  });
  for (const [state, ofOne, ofTwo] of counted) expect(readme).toContain(`| ${state} | ${ofOne} | ${ofTwo} |`);
  const gaps = requirements.filter((one) => one.state === 'gap');
  for (const severity of ['high', 'medium', 'low'])
    expect(readme).toContain(
      `| ${severity} | ${
        gaps
          .filter((one) => one.severity === severity)
          .map(({ id }) => id)
          .join(', ') || '–'
      } |`,
    );
});

test('the supported version is that of the product', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  expect(read('SECURITY.md')).toContain(`| the newest minor version (${version.replace(/\.\d+$/, '')}) |`);
});

const files = filesOf('{agent,api,contract,hack,kube,operator,security,ui}/**/*.{ts,tsx,go,json,md}');
const PAPERS = ['SECURITY.md', 'security/README.md', 'security/threat-model.md', 'security/controls.md'];

test.each(PAPERS)('each file and folder that %s names is there', (paper) => {
  const text = read(paper);
  const links = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, to = '']) => join(dirname(paper), to));
  const paths = [...text.matchAll(/`((?:[\w-]+\/)+[\w.-]*)`/g)].map(([, to = '']) => to);
  // In a row that names its folder before.
  const names = [...text.matchAll(/`([\w-]+\.(?:tsx?|go|json|md))`/g)].map(([, to = '']) => to);
  expect([
    ...[...links, ...paths].filter((path) => !existsSync(path)),
    ...names.filter((name) => !files.some((file) => file.endsWith(`/${name}`)) && !existsSync(name)),
  ]).toEqual([]);
});

test.each(PAPERS)('each option that %s names is one', (paper) => {
  const options = ['api/src/platform/config.ts', 'operator/src/config.ts'].map(read).join('\n');
  const named = [...read(paper).matchAll(/`--([a-z][a-z-]+)/g)].map(([, name = '']) => name);
  const camelCased = (name: string) => name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  expect(named.filter((name) => !new RegExp(`^  ${camelCased(name)}:`, 'm').test(options))).toEqual([]);
});
