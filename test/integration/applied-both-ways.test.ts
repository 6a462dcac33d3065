// A person applies the same file with kubectl, and later with --server-side: nothing of theirs has changed, so nothing conflicts and
// nothing is written.
import { readdirSync, readFileSync } from 'node:fs';
import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { LABEL, organizationNamespace, tenantRole } from '@gantry/contract/names.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { type CrdSchema, schemaOf } from '../../contract/gen/crd.ts';
import { type ApiServer, startApiServer } from '../support/api-server.ts';
import { SOUND } from '../support/sound-objects.ts';

const EXAMPLES = new URL('../../crds/examples/', import.meta.url);
const NAMESPACE = organizationNamespace('acme');
const WAYS: Readonly<Record<string, readonly string[]>> = { kubectl: [], 'the server': ['--server-side'] };

let server: ApiServer;
let made = 0;

beforeAll(async () => {
  server = await startApiServer();
  const metadata = { name: NAMESPACE, labels: { [LABEL.organization]: 'acme' } };
  await server.kubectl.must(['create', '-f', '-'], { apiVersion: 'v1', kind: 'Namespace', metadata });
  await server.kubectl.must([
    'create',
    'rolebinding',
    'ann',
    '-n',
    NAMESPACE,
    `--clusterrole=${tenantRole('member')}`,
    `--serviceaccount=${NAMESPACE}:ann`,
  ]);
});
afterAll(() => server?.stop());

/** As what a kubeconfig of ann's own is passed on. */
const ANN = `system:serviceaccount:${NAMESPACE}:ann`;

/** Without every field that the API server fills in. */
function withoutDefaults(value: unknown, schema: CrdSchema = {}): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutDefaults(one, schema.items));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([name]) => schema.properties?.[name]?.default === undefined);
  return Object.fromEntries(fields.map(([name, one]) => [name, withoutDefaults(one, schema.properties?.[name])]));
}

/** Leaves out the defaulted fields of a list's entries; the lists themselves stay. */
function withShortEntries(value: unknown, schema: CrdSchema = {}): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutDefaults(one, schema.items));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, withShortEntries(one, schema.properties?.[name])]),
  );
}

const sound = Object.entries<KindFacts>(KINDS).map(([key, facts]): [KubeObject & { spec: unknown }, CrdSchema] => {
  const { apiVersion, kind, metadata, spec } = SOUND[key as keyof typeof SOUND];
  return [{ apiVersion, kind, metadata, spec }, schemaOf(facts)];
});
const APPLIED: Readonly<Record<string, KubeObject>> = {
  ...Object.fromEntries(
    readdirSync(EXAMPLES).map((file) => [file, parse(readFileSync(new URL(file, EXAMPLES), 'utf8')) as KubeObject]),
  ),
  ...Object.fromEntries(sound.map(([object]) => [`the richest ${object.kind}`, object])),
  ...Object.fromEntries(
    sound.map(([object, { properties }]) => [
      `the richest ${object.kind}, its entries without what is filled in`,
      { ...object, spec: withShortEntries(object.spec, properties?.spec) } as KubeObject,
    ]),
  ),
};
const ORDERS = [
  ['kubectl', 'the server'],
  ['the server', 'kubectl'],
] as const;

test.each(Object.keys(APPLIED))(
  '%s is applied by kubectl and by the server in turn, and written once',
  async (name) => {
    const { metadata, ...rest } = APPLIED[name] as KubeObject;
    for (const order of ORDERS) {
      const object = { ...rest, metadata: { name: `${metadata.name}-${made++}`, namespace: NAMESPACE } };
      for (const way of order) {
        const apply = () =>
          server.kubectl.must(
            ['apply', ...(WAYS[way] ?? []), '-o', 'jsonpath={.metadata.resourceVersion}', '-f', '-'],
            object,
          );
        const first = await apply();
        expect([way, await apply()]).toEqual([way, first]);
      }
    }
  },
);

test.each(readdirSync(EXAMPLES).filter((file) => file !== 'organization.yaml'))(
  'crds/examples/%s is applied both ways by a member, as it is written',
  async (file) => {
    const path = new URL(file, EXAMPLES).pathname;
    for (const way of Object.values(WAYS)) await server.kubectl.must(['apply', ...way, '--as', ANN, '-f', path]);
  },
);

test('an Organization is made by the platform alone', async () => {
  const { stderr } = await server.kubectl.run([
    'apply',
    '--as',
    ANN,
    '-f',
    new URL('organization.yaml', EXAMPLES).pathname,
  ]);
  expect(stderr).toContain('cannot get resource "organizations"');
});

test('members select by phase, by power and by creator', async () => {
  const dev = ['gpuinstance', '-n', NAMESPACE, '--as', ANN, '-o', 'name', '--field-selector'];
  expect(await server.kubectl.must(['get', ...dev, 'spec.power=Running,spec.creator=ann'])).toContain('/dev\n');
  expect(await server.kubectl.must(['get', ...dev, 'status.phase=running'])).toBe('');
});
