// The questions before a command: true for the running instance, in the words beside the command.
import { answerOf, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { expect, test } from '@jest/globals';
import { render, renderHook, screen } from '@testing-library/react';
import { words as workload } from '../../parts/workload/words/en.ts';
import { useQuestions } from './use-questions.tsx';
import { words as instance } from './words/en.ts';

const fetched = playNetwork();

type Asked = Parameters<typeof useQuestions>[0];
const RUNS: Asked = {
  name: 'dev',
  phase: 'running',
  reason: 'Running',
  run: null,
  saved_time: null,
  spec: { image: 'base/ubuntu:24.04', cores: 1, memoryGi: 1, homeDisk: { sizeGi: 10 } },
};
const after = (lastExit: string): Asked['run'] => ({
  number: 4,
  cause: 'crash',
  ready_time: null,
  end_time: null,
  exits: 3,
  last_exit: lastExit,
  last_exit_label: lastExit,
});
const { processes, files, mounts } = instance.ask;

function questions(asked: Partial<Asked> = {}) {
  fetched.mockImplementation(async () => answerOf({}));
  const { result } = renderHook(() => useQuestions({ ...RUNS, ...asked }), {
    wrapper: appAround({ instances: instance, workload }),
  });
  return result.current();
}

test.each<[string, Partial<Asked>, processes: boolean, files: boolean]>([
  ['what runs', {}, true, true],
  ['what was never started', { phase: 'createFailed', reason: 'ImageNotFound' }, false, false],
  ['what waits for its first start', { phase: 'preparing', reason: 'WaitingForRoom' }, false, false],
  ['what waits for another start', { phase: 'preparing', saved_time: '2026-11-22' }, false, true],
  ['what is still fetched', { phase: 'creating', reason: 'PullingImage' }, false, false],
  ['what got no network', { phase: 'networkTimeout', reason: 'NetworkFailed' }, false, false],
  ['what answers to nobody', { phase: 'networkTimeout', reason: 'PortSilent' }, true, true],
  [
    'what failed by ending too often',
    { phase: 'createFailed', reason: 'ExitedOften', run: after('exit code 1') },
    true,
    true,
  ],
  ['what had too little memory', { phase: 'createFailed', reason: 'OutOfMemory', run: after('OOMKilled') }, true, true],
  [
    'what ended and is being saved',
    { phase: 'createFailed', reason: 'SaveRetrying', run: after('exit code 1') },
    true,
    true,
  ],
  [
    'what its node refused',
    { phase: 'createFailed', reason: 'NodeRefused', run: after('UnexpectedAdmissionError') },
    false,
    false,
  ],
])('of %s, only what there is counts as lost and kept', (_, asked, hasProcesses, hasFiles) => {
  const { stop, hibernate, shutdown } = questions(asked);
  const lost = hasProcesses ? [processes] : [];
  expect(stop?.lost).toEqual(lost);
  for (const question of [hibernate, shutdown]) expect(question?.lost).toEqual([...lost, mounts]);
  for (const question of [stop, hibernate, shutdown]) expect(question?.kept?.includes(files)).toBe(hasFiles);
  expect(stop?.kept).toContain('The home disk at /root (10 GiB)');
});

test.each(['stop', 'hibernate', 'shutdown'] as const)(
  'to %s is told before it is asked by the words of the question',
  (action) => {
    const { brief = '', text } = questions()[action] ?? {};
    expect(brief).not.toBe('');
    render(<div>{text}</div>);
    expect(screen.getByText(brief, { exact: false })).toBeTruthy();
  },
);
