// Which answers of earlier runs are taken, and which results are of the same questions.
import { expect, test } from '@jest/globals';
import type { Served } from './evaluation-parts.ts';
import { answeringOf, askedTasks, sameIn, workOf } from './recipe.ts';

const A = { deployment: 'a', adapter: null };
const B = { deployment: 'b', adapter: 'c' };
const served = (
  weights: string,
  stamp: Partial<Served['stamp']> = {},
  asked: Pick<Served, 'deployment' | 'adapter'> = A,
): Served => ({
  ...{ ...asked, uid: 'u', model: 'mdl-a', version: 'v1', name: 'Tiny', weights },
  ...{ adapterWeights: null, stamp: { engine: 'vllm', image: 'i', template: 't', dtype: 'BF16', gpu: null, ...stamp } },
});
const SPEC = {
  ...{ seed: 0, answerTokens: 64, maxRejectedPercent: 10 },
  tasks: [
    { dataset: 'dst-a', metric: 'F1' as const },
    { dataset: 'dst-a', metric: 'Judge' as const },
  ],
};
const read = [1, 2].map((version) => ({ dataset: 'dst-a', name: 'Set', version, parts: [{ sha256: 'p', bytes: 1 }] }));

test('answers are kept by the name that is asked and what answers to it', () => {
  const one = answeringOf({ judge: { deployment: 'j' } }, [served('x'), served('y', {}, B)], served('z'));
  expect(Object.keys(one)).toEqual(['a', 'b:c', 'j']);
  expect(sameIn(one, answeringOf({}, [served('x'), served('y', {}, B)], undefined))).toEqual(['a', 'b:c']);
  expect(sameIn(one, answeringOf({}, [served('q', {}, { deployment: 'new', adapter: null })], undefined))).toEqual([]);
  for (const other of [served('X'), served('x', { image: 'j' }), served('x', { gpu: { model: 'H100', count: 1 } })])
    expect(sameIn(one, answeringOf({}, [other, served('y', {}, B)], undefined))).toEqual(['b:c']);
});

test('answers are one task’s', () => {
  const answering = answeringOf({}, [served('x'), served('y', {}, B)], undefined);
  expect(workOf('uid-1', answering)).toBe(workOf('uid-1', Object.fromEntries(Object.entries(answering).toReversed())));
  expect(workOf('uid-2', answering)).not.toBe(workOf('uid-1', answering));
});

test('results are of the same questions while rows, columns, limit, seed and judge are', () => {
  const of = (spec: object = {}, judging = served('z'), rows = read) =>
    askedTasks({ ...SPEC, ...spec }, rows, judging, undefined).map(({ measures }) => measures);
  const [f1, judged] = of();
  expect(f1).not.toBe(judged);
  expect(of({ baseline: 0, maxTokens: 9 })).toEqual([f1, judged]);
  const changed: (readonly string[])[] = [
    ...[{ seed: 1 }, { limit: 3 }, { answerTokens: 9 }].map((spec) => of(spec)),
    of(
      {},
      served('z'),
      read.map((one) => ({ ...one, parts: [{ sha256: 'q', bytes: 1 }] })),
    ),
    of({ tasks: SPEC.tasks.map((one) => ({ ...one, columns: { prompt: 'q', answer: 'a' } })) }),
  ];
  for (const [one, two] of changed) expect([one === f1, two === judged]).toEqual([false, false]);
  for (const other of [of({ judge: { deployment: 'j', rubric: 'kind' } }), of({}, served('other'))])
    expect([other[0] === f1, other[1] === judged]).toEqual([true, false]);
});
