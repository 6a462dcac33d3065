import { describe, expect, test } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { helpText as gatewayHelp } from '../../../api/src/platform/config.ts';
import { helpText as operatorHelp } from '../../../operator/src/config.ts';
import { generatedFiles } from '../generated-files.ts';
import { SAID_BY } from './program-options.ts';

interface Named {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly annotations?: object };
}

const files = generatedFiles();
const file = (name: string): string => files[`charts/gantry/${name}`] ?? '';
const documents = (text: string): Named[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as Named | null)
    .filter((object) => object !== null);

interface Schema {
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
}
/** Groups have no default of their own. */
const leaves = (schema: Schema, path = ''): [string, Schema][] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, value]) =>
    value.properties && value.default === undefined ? leaves(value, `${path}${name}.`) : [[`${path}${name}`, value]],
  );
const schema = JSON.parse(file('values.schema.json')) as Schema;
const values = leaves(schema).filter(([name]) => name !== 'global');

test('every value has words and a default, which values.yaml repeats', () => {
  const written = parse(file('values.yaml'), { version: '1.1' }) as Record<string, unknown>;
  for (const [name, { description, default: byDefault }] of values) {
    expect([name, description]).toEqual([name, expect.stringMatching(/\S/)]);
    const found = name.split('.').reduce<unknown>((group, key) => (group as Record<string, unknown>)[key], written);
    expect([name, found]).toEqual([name, byDefault]);
  }
});

/** The paths of values whose text may be anything at all. */
function shapeless(node: unknown, path: string): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { type, pattern, enum: words } = node as { type?: unknown; pattern?: unknown; enum?: unknown };
  const here = type === 'string' && pattern === undefined && words === undefined ? [path] : [];
  return [...here, ...Object.entries(node).flatMap(([key, value]) => shapeless(value, `${path}/${key}`))];
}

test('every text has a shape, but those of annotations and of what Kubernetes takes there', () => {
  const free = /\/annotations\/additionalProperties$|\/propertyNames$/;
  expect(shapeless(schema, '').filter((path) => !free.test(path))).toEqual([]);
});

const rowsOf = (text: string): string[] => (text.match(/^\| `([^`]+)`/gm) ?? []).map((row) => row.slice(3, -1));

test('the table lists every value', () => {
  const [table = ''] = file('VALUES.md').split('\n## Options');
  expect(rowsOf(table)).toEqual(values.map(([name]) => name));
});

describe.each([
  ['gateway', gatewayHelp()],
  ['operator', operatorHelp()],
] as const)('of the %s', (program, help) => {
  const saidBy = SAID_BY[program];
  const flags = [...help.matchAll(/^--([a-z-]+)/gm)].map(([, flag = '']) => flag);
  const options = schema.properties?.[program]?.properties?.options?.properties ?? {};

  test('every flag of --help is an option of the chart, with words', () => {
    expect(flags.length).toBeGreaterThan(20);
    expect(flags.filter((flag) => !options[flag]?.description)).toEqual([]);
    expect(Object.keys(options).filter((option) => !flags.includes(option))).toEqual([]);
  });

  test('VALUES.md lists those that people write there, and no others', () => {
    const prefix = `${program}.options.`;
    const listed = rowsOf(file('VALUES.md')).filter((name) => name.startsWith(prefix));
    expect(listed).toEqual(flags.filter((flag) => !(flag in saidBy)).map((flag) => prefix + flag));
  });

  test('what another value says is said by one that there is', () => {
    const places = ['the chart', 'the image', "the Pod's service account", 'the command line of restore'];
    // The gateway reads some of the operator's options too: rowsOf has those that people write.
    const names = [...places, ...values.map(([name]) => name), ...rowsOf(file('VALUES.md'))];
    expect(Object.entries(saidBy).filter(([, by]) => !names.includes(by))).toEqual([]);
  });
});

const platform = documents(files['crds/platform/1-platform.yaml'] ?? '');

test('no object of the platform stands there twice: the second would take the place of the first', () => {
  const all = Object.entries(files)
    .filter(([path]) => path.startsWith('crds/platform/'))
    .flatMap(([, text]) => documents(text))
    .map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`);
  expect(all.length).toBeGreaterThan(100);
  expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
});

test('the kinds and the host keys stay when the release goes', () => {
  const kept = { 'helm.sh/resource-policy': 'keep' };
  const kinds = Object.entries(files).filter(([path]) => /^crds\/[^/]+\.yaml$/.test(path));
  expect(kinds.length).toBeGreaterThan(5);
  for (const { metadata } of kinds.flatMap(([, text]) => documents(text)))
    expect(metadata.annotations).toMatchObject(kept);
  const secrets = platform.filter(({ kind }) => kind === 'Secret');
  expect(secrets.map(({ metadata }) => metadata)).toMatchObject([{ name: 'gantry-door-host-keys', annotations: kept }]);
});
