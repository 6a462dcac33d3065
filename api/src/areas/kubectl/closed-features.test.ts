// What staff have closed, as kubectl shows it.
import { GROUP } from '@gantry/contract/define-kind.ts';
import { expect, test } from '@jest/globals';
import { demandOpenFeature } from './closed-features.ts';

const INSTANCES = `/apis/${GROUP}/v1/namespaces/org-acme/gpuinstances`;
const note = (en: string) => ({ note: { en, zh: '', ja: '' } });
const demand = (closed: Record<string, ReturnType<typeof note>>) =>
  demandOpenFeature({ closed: (feature) => closed[feature] as never }, () => false);

test('a feature that is open demands nothing', () => {
  expect(() => demand({ terminal: note('') })('POST', INSTANCES)).not.toThrow();
  expect(() => demand({ newInstances: note('') })('GET', INSTANCES)).not.toThrow();
});

test.each([
  ['with the sentence that staff left', ' Back at noon. ', / Back at noon\.$/],
  ['without one', '', /[^ ]$/],
])('a closed feature is refused, %s', (_with, text, sentence) => {
  expect(() => demand({ newInstances: note(text) })('POST', INSTANCES)).toThrow(
    expect.objectContaining({ code: 403, message: expect.stringMatching(sentence) }),
  );
});

test('a path that cannot be decoded is refused, whatever is open', () => {
  expect(() => demand({})('GET', '/api/%zz')).toThrow(expect.objectContaining({ code: 400 }));
});
