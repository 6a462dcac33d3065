import type { KindFacts } from '@gantry/contract/define-kind.ts';
import { TEMPLATE_FIELDS as SERVICE_FIELDS } from '@gantry/contract/kinds/container-service-schema.ts';
import { PROCESS_FIELDS } from '@gantry/contract/kinds/data-process-schema.ts';
import { EVALUATION_FIELDS } from '@gantry/contract/kinds/evaluation-schema.ts';
import { TUNE_FIELDS } from '@gantry/contract/kinds/fine-tune-schema.ts';
import { RUN_FIELDS as INSTANCE_FIELDS } from '@gantry/contract/kinds/gpu-instance-schema.ts';
import { TEMPLATE_FIELDS as DEPLOYMENT_FIELDS } from '@gantry/contract/kinds/model-deployment-schema.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { expect, test } from '@jest/globals';
import { checkNames } from './check-names.ts';
import { checkSchema } from './check-schema.ts';
import { type CrdSchema, crdOf, schemaOf } from './crd.ts';

const kind = { kind: 'Thing' };
const object = (properties: Record<string, CrdSchema>, more: CrdSchema = {}): CrdSchema => ({
  type: 'object',
  properties,
  ...more,
});
const inSpec = (field: CrdSchema) => object({ spec: object({ field }) });
const inStatus = (field: CrdSchema) => object({ status: object({ field }) });
const rules = (rule: string, message = 'field must be so') => ({ 'x-kubernetes-validations': [{ rule, message }] });

const REFUSED: Record<string, [schema: CrdSchema, sentence: string]> = {
  'an enum value that YAML 1.1 makes a boolean': [
    inSpec({ type: 'string', enum: ['Off', 'Running'] }),
    'Thing spec.field: has the enum value Off',
  ],
  'additionalProperties: false': [
    inSpec({ type: 'object', additionalProperties: false }),
    'spec.field: has additional',
  ],
  'a union': [inSpec({ anyOf: [{ type: 'string' }, { type: 'integer' }] }), 'spec.field: is a union'],
  'a keyword that is not structural': [
    inSpec({ type: 'object', propertyNames: { type: 'string' } } as CrdSchema),
    'spec.field: has propertyNames',
  ],
  'a pattern with a look-ahead': [inSpec({ type: 'string', pattern: '^(?=a).*$' }), 'spec.field: has a pattern'],
  'a pattern with a Unicode class': [inSpec({ type: 'string', pattern: '^\\p{L}+$' }), 'spec.field: has a pattern'],
  'a rule whose pattern RE2 refuses': [
    inSpec({ type: 'string', maxLength: 9, ...rules("self.matches('^(?!x)')") }),
    'spec.field: has a rule with a pattern',
  ],
  'a step that the API server cuts to 0': [
    inSpec({ type: 'number', multipleOf: 0.5 }),
    'spec.field: has a fraction as a bound',
  ],
  'a maximum that the API server cuts to 0': [
    inSpec({ type: 'number', maximum: -0.5 }),
    'spec.field: has a fraction as a bound',
  ],
  'a list in status of which nobody says how it merges': [
    inStatus({ type: 'array', items: { type: 'string' } }),
    'status.field: is a list in status',
  ],
  'a list key that may be absent': [
    inSpec({
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: object({ name: { type: 'string' } }),
    }),
    'spec.field: has the list key name',
  ],
  'a default inside an atomic list': [
    inSpec({ type: 'array', maxItems: 3, items: object({ level: { type: 'string', maxLength: 9, default: 'a' } }) }),
    'spec.field[].level: has a default inside an atomic list',
  ],
  'a field that nobody describes': [inSpec({ type: 'integer' }), 'Thing spec.field: has no description'],
  'a rule without a message': [inSpec({ type: 'integer', ...rules('self > 0', '') }), 'spec.field: has a rule without'],
  'a rule over status that would lock it': [
    object({ status: object({ phase: { type: 'string', maxLength: 9 } }) }, rules("self.status.phase != 'x'")),
    'Thing (the object): has a rule over status',
  ],
  'a rule over a string without a maximum': [
    inSpec({ type: 'string', ...rules("self.matches('^a$')") }),
    'spec.field: has a rule that costs without bound, since spec.field',
  ],
  'a rule over the object that reads an unbounded list': [
    object(
      { spec: object({ ports: { type: 'array', items: { type: 'integer' } } }) },
      rules('self.spec.ports.all(p, p > 0)'),
    ),
    'Thing (the object): has a rule that costs without bound, since spec.ports',
  ],
  'a rule inside an unbounded list': [
    inSpec({ type: 'array', items: { type: 'integer', ...rules('self > 0') } }),
    'spec.field[]: has a rule that costs without bound, since a list or map above it',
  ],
};

test.each(Object.entries(REFUSED))('%s is refused, and the sentence names kind and field', (_, [schema, sentence]) => {
  expect(() => checkSchema(kind, schema)).toThrow(sentence);
});

test('every fault is told at once', () => {
  const schema = object({ spec: object({ a: { type: 'string', enum: ['On'] }, b: { anyOf: [] } }) });
  expect(() => checkSchema(kind, schema)).toThrow(/spec\.a.*\n.*spec\.b/);
});

test.each([
  [
    'a plural that a built-in has',
    { kind: 'Work', plural: 'jobs', shortNames: [] },
    'Work: the name jobs belongs to a built-in',
  ],
  ['a kind that a built-in has', { kind: 'Node', plural: 'gnodes', shortNames: [] }, 'Node: the name node belongs'],
  [
    'a short name that a built-in has',
    { kind: 'Work', plural: 'works', shortNames: ['po'] },
    'Work: the name po belongs',
  ],
])('%s is refused', (_, facts, sentence) => {
  expect(() => checkNames([facts])).toThrow(sentence);
});

test('a short name that another kind of ours has is refused', () => {
  const one = { kind: 'One', plural: 'ones', shortNames: ['x'] };
  expect(() => checkNames([one, { kind: 'Two', plural: 'twos', shortNames: ['x'] }])).toThrow(
    'Two: the name x belongs to One',
  );
});

test('a minimum with a fraction is a rule, too: the API server compares whole numbers with 0 instead', () => {
  const { cores, memoryGi } = schemaOf(KINDS.gpuInstance).properties?.spec?.properties ?? {};
  expect([cores, memoryGi].map((field) => field?.['x-kubernetes-validations'])).toEqual([
    [{ rule: 'self >= 0.1', message: 'must be at least 0.1' }],
    [{ rule: 'self >= 0.0625', message: 'must be at least 0.0625' }],
  ]);
});

test('every kind of the product passes', () => {
  checkNames(Object.values(KINDS));
  for (const facts of Object.values<KindFacts>(KINDS)) checkSchema(facts, schemaOf(facts));
});

test.each(Object.values<KindFacts>(KINDS))(
  '$kind is shown by its columns and found under the category gantry',
  (facts) => {
    const { names, versions } = crdOf(facts).spec;
    expect(names.categories).toEqual(['gantry']);
    expect(versions[0]?.additionalPrinterColumns.map(({ name }) => name)).toContain('Phase');
  },
);

test.each([
  ['gpuinstances', INSTANCE_FIELDS, 'A change restarts an instance that runs.'],
  ['gpujobs', ['command', 'env', 'cores', 'memoryGi', 'gpu', 'image'], 'A change takes effect with the next run.'],
  [
    'dataprocesses',
    PROCESS_FIELDS.filter((field) => !['priority', 'maxRunMinutes', 'retries'].includes(field)),
    'A change takes effect with the next run.',
  ],
  [
    'finetunes',
    TUNE_FIELDS.filter((field) => !['priority', 'maxRunMinutes', 'retries'].includes(field)),
    'A change takes effect with the next run.',
  ],
  [
    'evaluations',
    EVALUATION_FIELDS.filter((field) => !['priority', 'maxRunMinutes', 'retries'].includes(field)),
    'A change takes effect with the next run.',
  ],
  ['containerservices', SERVICE_FIELDS, 'A change starts new replicas.'],
  ['modeldeployments', DEPLOYMENT_FIELDS, 'A change starts new replicas.'],
])('kubectl explain says of each field of %s what a change does to what runs', (plural, fields, sentence) => {
  const facts = Object.values<KindFacts>(KINDS).find((one) => one.plural === plural) as KindFacts;
  const spec = schemaOf(facts).properties?.spec?.properties ?? {};
  const silent = Object.entries(spec).filter(([, { description }]) => !description?.endsWith(` ${sentence}`));
  expect(fields.filter((field) => silent.some(([name]) => name === field))).toEqual([]);
  expect(silent.map(([name]) => name)).toContain('displayName');
});
