import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { describe, expect, test } from '@jest/globals';
import type { FindObject } from '../terminals/place.ts';
import { contentOf } from './content-of.ts';

const only =
  (object: object): FindObject =>
  ({ kind }, namespace, name) => {
    const found = object as KubeObject;
    const isIt = found.kind === kind && found.metadata.namespace === namespace && found.metadata.name === name;
    return isIt ? { object: found, as: () => ({}) as never } : undefined;
  };
const instance = (spec: object, phase = 'running') =>
  only({
    ...{ kind: 'GpuInstance', metadata: { name: 'dev', namespace: 'org-acme', uid: 'uid-dev' } },
    ...{ spec: { power: 'Running', rebootCount: 0, ...spec }, status: { phase, run: { seq: 3 } } },
  });
const job = (workers: readonly object[], phase = 'running') =>
  only({
    ...{ kind: 'Job', metadata: { name: 'train', namespace: 'org-acme', uid: 'uid-train' } },
    ...{ spec: { power: 'Running', ports: [{ port: 6006 }] }, status: { phase, workers } },
  });

describe('the content of an instance', () => {
  test('It has the ports and the notebook of its spec, in the Pod of its run.', () => {
    expect(contentOf(instance({ ports: [{ port: 3000 }], notebookPort: 8888 }), 'org-acme', 'dev')).toEqual({
      uid: 'uid-dev',
      at: { namespace: 'org-acme', pod: 'dev-3' },
      ports: [3000],
      notebookPort: 8888,
    });
  });
  test('An instance without ports serves nothing.', () => {
    expect(contentOf(instance({}), 'org-acme', 'dev')).toMatchObject({ ports: [] });
  });
  test.each([
    ['An instance that does not run has no content.', instance({}, 'stopped'), 'org-acme', 'container_not_running'],
    ['An instance of another tenant does not exist.', instance({}), 'org-other', 'not_found'],
  ])('%s', (_, find, namespace, wanted) => {
    expect(() => contentOf(find, namespace, 'dev')).toThrow(expect.objectContaining({ problem: wanted }));
  });
});

describe('the content of a worker', () => {
  const running = { index: 1, phase: 'running', pod: 'train-1-abc' };
  test('It has the ports of its job, in its own Pod.', () => {
    expect(
      contentOf(job([{ index: 0, phase: 'running', pod: 'train-0-abc' }, running]), 'org-acme', 'train.1'),
    ).toEqual({
      uid: 'uid-train',
      at: { namespace: 'org-acme', pod: 'train-1-abc' },
      ports: [6006],
    });
  });
  test.each([
    ['A worker that ended has none.', job([{ ...running, phase: 'succeeded' }]), 'train.1', 'container_not_running'],
    ['A worker that has no Pod has none.', job([{ index: 1, phase: 'running' }]), 'train.1', 'container_not_running'],
    ['A rank that the job does not have has none.', job([running]), 'train.7', 'container_not_running'],
    ['A job that ended has none.', job([running], 'success'), 'train.1', 'container_not_running'],
    ['A job that is not there does not exist.', job([running]), 'other.1', 'not_found'],
  ])('%s', (_, find, name, wanted) => {
    expect(() => contentOf(find, 'org-acme', name)).toThrow(expect.objectContaining({ problem: wanted }));
  });
});
