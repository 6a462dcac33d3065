// The bodies that a task's form makes: the contract accepts what the form starts with for each type, and a change is what was changed.
import { dataProcess } from '@gantry/contract/kinds/data-process.ts';
import { PROCESS_BLOCKS } from '@gantry/contract/kinds/data-process-schema.ts';
import { expect, test } from '@jest/globals';
import { TYPES } from './process-types.ts';
import {
  asksModel,
  EMPTY_PROCESS,
  firstProcess,
  type ProcessValues,
  processBody,
  processChange,
  processValuesOf,
} from './processing-values.ts';

const filled = (more: Partial<ProcessValues> = {}): ProcessValues => ({
  ...EMPTY_PROCESS,
  displayName: 'handbook',
  input: { dataset: 'dst-1', version: '', columns: '' },
  output: { dataset: '', name: 'handbook-qa' },
  model: 'acme/chat',
  ...more,
});

test.each(TYPES)('%s: what the form begins with is a task, with the block of its type and no other', (type) => {
  const body = processBody(filled({ type }));
  expect(dataProcess.api.writes.create.safeParse(body).error).toBeUndefined();
  const blocks = Object.values(PROCESS_BLOCKS).filter((block) => Object.hasOwn(body, block));
  expect(blocks).toEqual([PROCESS_BLOCKS[type]]);
  expect(Object.hasOwn(body, 'model')).toBe(asksModel({ type, qa: { rules: 'Model' } }));
});

test('pairs by headings name no model and no budget', () => {
  const body = processBody(filled({ qa: { rules: 'Headings', pairsPerChunk: 3, prompt: 'be brief' }, maxTokens: 5 }));
  expect(body).not.toHaveProperty('model');
  expect(body).not.toHaveProperty('maxTokens');
  expect(body.qa).toEqual({ rules: 'Headings', pairsPerChunk: 3 });
});

test('the output is an existing dataset or a new name, never both', () => {
  const name = ' qa ';
  expect(processBody(filled({ output: { dataset: 'dst-2', name } })).output).toEqual({ dataset: 'dst-2' });
  expect(processBody(filled({ output: { dataset: '', name } })).output).toEqual({ name: 'qa' });
});

test('a number that was emptied is refused, and not the default', () => {
  const body = processBody(filled({ maxRejectedPercent: undefined }));
  expect(dataProcess.api.writes.create.safeParse(body).success).toBe(false);
});

test.each(TYPES)('%s: the values of a task make the same task again', (type) => {
  const values = filled({
    ...{ type, maxTokens: 9000, host: 'hst-1', input: { dataset: 'dst-1', version: '3', columns: 'title, text' } },
    ...{ graph: { entityTypes: 'Person, Place' }, convert: { format: 'Csv', columns: 'text' } },
    clean: { duplicates: 'Near', maskPersonalData: true, minChars: 2, maxChars: 90, languages: 'en, zh' },
  });
  const { displayName = '', ...spec } = dataProcess.api.writes.create.parse(processBody(values));
  const again = processValuesOf({ id: 'dpr-1', name: displayName, spec: spec as never });
  expect(processChange(values, again)).toEqual({});
});

test('another type takes the block of the former one away', () => {
  const change = processChange(filled(), filled({ type: 'Convert' }));
  expect(change).toEqual({ type: 'Convert', model: null, qa: null, convert: { format: 'JsonLines' } });
});

test.each([
  ['a type that there is', 'type=Clean', 'Clean'],
  ['one that there is not', 'type=constructor', 'QaPairs'],
])('a link names the input and %s', (_, query, type) => {
  const first = firstProcess(new URLSearchParams(`dataset=dst-7&version=2&${query}`));
  expect([first.type, first.input.dataset, first.input.version]).toEqual([type, 'dst-7', '2']);
});
