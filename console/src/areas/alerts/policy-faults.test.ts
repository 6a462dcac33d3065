import { expect, test } from '@jest/globals';
import { faultsIn, fieldOf, ownFaults } from './policy-faults.ts';
import { EMPTY_POLICY, newChannel, type PolicyValues } from './policy-values.ts';

test.each([
  ['spec.rules.1', 'rules.1.value'],
  ['rules.0.value', 'rules.0.value'],
  ['channels.2', 'channels.2.to'],
  ['objects.names.3', 'objects.names'],
  ['objects', 'objects.names'],
  ['filters.1.values.4', 'filters.1.values'],
  ['silences.0', 'silences.0.cron'],
  ['silences.0.timeZone', 'silences.0.timeZone'],
  ['channels.0.levels.1', 'channels.0.levels'],
  ['objects.labels.team', 'objects.labels.0.name'],
  ['begins', 'begins.met'],
  ['metric', 'metric'],
])('what is wrong with %s stands at %s', (path, field) => {
  expect(fieldOf(path)).toBe(field);
});

test('errors of the schema are found at any depth, and a label by its name', () => {
  const labels = [
    { name: 'a', value: '' },
    { name: 'b', value: 'x' },
  ];
  const values = { ...EMPTY_POLICY, objects: { ...EMPTY_POLICY.objects, labels } };
  const error = (message: string) => ({ type: 'x', message });
  const errors = {
    objects: { labels: { b: error('long') } },
    filters: [undefined, { values: [undefined, error('text')] }],
    endsAfter: error('least'),
  };
  expect(faultsIn(errors as never, values)).toEqual([
    { field: 'objects.labels.1.value', message: 'long' },
    { field: 'filters.1.values', message: 'text' },
    { field: 'endsAfter', message: 'least' },
  ]);
});

const [rule] = EMPTY_POLICY.rules as [PolicyValues['rules'][number]];
const at = (change: Partial<PolicyValues>) =>
  ownFaults({ ...EMPTY_POLICY, ...change }, { language: 'en', twice: 'twice' }).map(({ field }) => field);

test.each<[string, Partial<PolicyValues>, string[]]>([
  ['a policy that is whole has no fault', {}, []],
  ['a query is needed where no metric is chosen', { metric: '', query: ' ' }, ['query']],
  ['a limit is needed in each rule that compares', { rules: [rule, { ...rule, value: undefined }] }, ['rules.1.value']],
  ['a rule about missing data has no limit', { rules: [{ ...rule, type: 'NoData', value: undefined }] }, []],
  ['Slack needs a contact point', { channels: [newChannel('Bell'), newChannel('Slack')] }, ['channels.1.to']],
  ['no more cycles meet a rule than there are', { begins: { met: 3, of: 2 } }, ['begins.met']],
  ['no amount is left empty', { endsAfter: undefined, begins: { met: 1, of: undefined } }, ['begins.of', 'endsAfter']],
  [
    'a label is there once',
    {
      objects: {
        ...EMPTY_POLICY.objects,
        labels: [
          { name: 'a', value: '1' },
          { name: 'a', value: '2' },
        ],
      },
    },
    ['objects.labels.1.name'],
  ],
])('%s', (_title, change, fields) => {
  expect(at(change)).toEqual(fields);
});
