// Gates: what an evaluation has to have shown of everything that a deployment is to serve, and the numbers where it has not.
import { describe, expect, test } from '@jest/globals';
import { closedGate, type GateScores } from './gate.ts';

const GATE = { evaluation: 'evl-1', metric: 'F1' as const, margin: 0.05 };
const NEW = { model: 'mdl-a', version: 'v2' };
const of = (weights: string, adapterWeights: string | null = null) => ({ weights, adapterWeights });
const OLD = { model: 'mdl-a', version: 'v1', ...of('old') };
const comparison = (low: number, more: object = {}) => ({ subject: 1, task: 0, low, high: 0.2, ...more });
const found = (more: Partial<GateScores> = {}): GateScores => ({
  subjects: [OLD, { ...NEW, ...of('new') }],
  tasks: [{ metric: 'F1' }, { metric: 'ExactMatch' }],
  baseline: 0,
  scores: [
    { subject: 0, task: 0, value: 0.8 },
    { subject: 1, task: 0, value: 0.76 },
  ],
  comparisons: [comparison(-0.05)],
  ...more,
});
const asked = (scores: GateScores | undefined, gate: object = {}, served = [of('new')]) =>
  closedGate({ ...GATE, ...gate }, NEW, served, scores);

describe('A gate lets through', () => {
  test('what is within the margin with its whole interval', () => expect(asked(found())).toBeUndefined());

  test('the baseline itself', () => expect(asked(found({ comparisons: [] }), {}, [of('old')])).toBeUndefined());

  test('a model with each adapter that was compared', () => {
    const subjects = [OLD, { ...NEW, ...of('old', 'one') }, { ...NEW, ...of('old', 'two') }];
    const comparisons = [comparison(0), comparison(0.1, { subject: 2 })];
    const served = [of('old'), of('old', 'one'), of('old', 'two')];
    expect(asked(found({ subjects, comparisons }), {}, served)).toBeUndefined();
    expect(asked(found({ subjects, comparisons: comparisons.slice(1) }), {}, served)).toMatchObject({
      reason: 'GateNotEvaluated',
    });
  });
});

test('A gate stops what may be worse than the margin, with the numbers', () =>
  expect(asked(found({ comparisons: [comparison(-0.123456)] }))).toEqual({
    reason: 'GateNotPassed',
    args: {
      ...{ evaluation: 'evl-1', metric: 'F1', model: 'mdl-a', version: 'v2', baseline: 'mdl-a v1' },
      ...{ value: '0.76', other: '0.8', low: '−0.1235', high: '0.2', margin: '0.05' },
    },
  }));

test('A gate asks each task of its metric, or the one that it names', () => {
  const tasks = [{ metric: 'F1' }, { metric: 'F1' }];
  const comparisons = [comparison(0), comparison(-0.5, { task: 1 })];
  expect(asked(found({ tasks, comparisons }))).toMatchObject({ reason: 'GateNotPassed' });
  expect(asked(found({ tasks, comparisons }), { task: 0 })).toBeUndefined();
});

describe('A gate waits', () => {
  test.each<[string, GateScores | undefined, object?]>([
    ['for an evaluation that is not there', undefined],
    ['for one without a baseline', found({ baseline: null })],
    ['for one that compares nothing', found({ comparisons: [] })],
    ['for one of other versions', found({ subjects: [OLD, { ...NEW, ...of('other') }] })],
    ['for one whose subject changed meanwhile', found({ subjects: [OLD, { ...NEW, ...of('new'), isChanged: true }] })],
    [
      'for one whose baseline changed meanwhile',
      found({
        subjects: [
          { ...OLD, isChanged: true },
          { ...NEW, ...of('new') },
        ],
      }),
    ],
    ['for a task that it has not', found(), { task: 1 }],
    ['for a metric that it has not', found(), { metric: 'Judge' }],
    ['for another baseline', found(), { notWorseThan: { model: 'mdl-a', version: 'v0' } }],
  ])('%s', (_, scores, gate = {}) => expect(asked(scores, gate)).toMatchObject({ reason: 'GateNotEvaluated' }));

  test('and names the baseline that it was told', () =>
    expect(asked(undefined, { notWorseThan: { model: 'mdl-a', version: 'v0' } })?.args.baseline).toBe('mdl-a v0'));
});
