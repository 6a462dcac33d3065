import { expect, test } from '@jest/globals';
import { evaluatePath } from '../../parts/evaluate-path.ts';
import { servedSubjects } from './served-subjects.ts';

const deployment = (id: string, model: string, version: string, adapters: [string, string, string][] = []) => ({
  ...{ id, model: { id: model, version }, served_for: null },
  adapters: adapters.map(([name, of, at]) => ({ name, model: of, version: at })),
});
const BASE = deployment('dpl-base', 'mdl-1', '1.0', [['other', 'mdl-9', 'v1']]);
const made = { base: { model: 'mdl-1', version: '1.0' }, model: 'mdl-9', version: 'v2', isAdapter: false };

test.each([
  ['nobody serves it', [BASE], made, [{ deployment: 'dpl-base' }, { model: 'mdl-9', version: 'v2' }]],
  [
    'it is served for a run alone',
    [{ ...deployment('dpl-3', 'mdl-9', 'v2'), served_for: 'evl-1' }],
    made,
    [
      { model: 'mdl-1', version: '1.0' },
      { model: 'mdl-9', version: 'v2' },
    ],
  ],
  [
    'an adapter is served beside its base',
    [deployment('dpl-2', 'mdl-1', '1.0', [['ftn', 'mdl-9', 'v2']])],
    { ...made, isAdapter: true },
    [{ deployment: 'dpl-2' }, { deployment: 'dpl-2', adapter: 'ftn' }],
  ],
  ['another version of the adapter is served', [BASE], { ...made, isAdapter: true }, []],
  [
    'a whole model is served, and its base too',
    [BASE, deployment('dpl-3', 'mdl-9', 'v2')],
    made,
    [{ deployment: 'dpl-base' }, { deployment: 'dpl-3' }],
  ],
  [
    'a whole model is served alone',
    [deployment('dpl-3', 'mdl-9', 'v2')],
    made,
    [{ model: 'mdl-1', version: '1.0' }, { deployment: 'dpl-3' }],
  ],
])('subjects where %s', (_, deployments, what, subjects) => {
  expect(servedSubjects(deployments, what)).toEqual(subjects);
});

test('the form of an evaluation gets subjects, baseline and dataset by its address', () => {
  const subjects = [{ deployment: 'dpl-2' }, { deployment: 'dpl-2', adapter: 'ftn' }];
  expect(evaluatePath([{ model: 'mdl-1', version: '1.0' }])).toBe('/model/evaluation/create?subject=mdl-1%401.0');
  expect(evaluatePath(subjects, { baseline: 0, dataset: 'dst-1', datasetVersion: undefined })).toBe(
    '/model/evaluation/create?subject=dpl-2&subject=dpl-2%3Aftn&baseline=0&dataset=dst-1',
  );
});
