// An instance's history on its page: its newest run, its usage over time, and its last save.

import { CREDIT_SENTENCES } from '@gantry/contract/billing/credit-sentences.ts';
import { sentence } from '@gantry/contract/define-kind.ts';
import { dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { exitCodeSaid } from '@gantry/contract/kinds/exits.ts';
import type { GpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { instanceView } from '@gantry/contract/kinds/gpu-instance-view.ts';
import { snapshot } from '@gantry/contract/kinds/snapshot.ts';
import { quoted, said } from '@gantry/contract/said.ts';
import { expect, test } from '@jest/globals';
import { historyOf, toView } from './to-view.ts';

const at = (minute: number) => `2026-11-22T04:${`${minute}`.padStart(2, '0')}:00Z`;
const instance = (status?: GpuInstance['status']) =>
  ({
    apiVersion: 'gantry.dev/v1alpha1',
    kind: 'GpuInstance',
    metadata: { name: 'ins-1', namespace: 'org-a', creationTimestamp: at(0) },
    spec: {
      power: 'Running',
      rebootCount: 0,
      image: 'library/busybox:1.36',
      cores: 1,
      memoryGi: 1,
      homeDisk: { sizeGi: 1 },
    },
    ...(status && { status }),
  }) as GpuInstance;
const viewOf = (status?: GpuInstance['status'], language: 'en' | 'ja' = 'en') =>
  instanceView.parse(
    toView(
      gpuInstance,
      instance(status),
      { language, role: 'member' },
      { region: { id: 'us-east', label: 'US East Washington' } },
    ),
  );

test('one that has not run yet has no run, no save and no history', () => {
  expect(viewOf()).toMatchObject({ run: null, save: null, history: [], home_saved_time: null });
});

test('the newest run tells why it was, and why the one before ended', () => {
  const run = { seq: 3, cause: 'crash', readyAt: at(9), exits: 2, lastExit: 'OOMKilled' } as const;
  expect(viewOf({ run }).run).toEqual({
    number: 3,
    cause: 'crash',
    ready_time: at(9),
    end_time: null,
    exits: 2,
    last_exit: 'OOMKilled',
    last_exit_label: 'out of memory',
  });
});

test('history is newest first, whatever the order of the status, and ends after twenty stretches', () => {
  const intervals = Array.from({ length: 25 }, (_, index) => ({
    seq: index + 1,
    subjectUID: `pod-${index}`,
    from: at(index),
    ...(index < 24 && { to: at(index + 1) }),
    uses: [{ resource: 'cpu', quantity: 1 }],
  }));
  const { history } = viewOf({ intervals: [...intervals.slice(5), ...intervals.slice(0, 5)] });
  expect(history).toHaveLength(20);
  expect(history[0]).toEqual({ from: at(24), to: null, uses: [{ resource: 'cpu', model: null, quantity: 1 }] });
  expect(history.at(-1)?.from).toBe(at(5));
});

test('a save is told in the language of whoever looks; an unknown phase by its name', () => {
  const save = (phase: string) => viewOf({ snapshot: { name: 's', phase } }, 'ja').save;
  expect(save('processing')).toEqual({ phase: 'processing', phase_label: '保存中', tone: 'progress', message: null });
  expect(save('new')).toMatchObject({ phase_label: 'new', tone: 'neutral' });
});

test('a condition is told in the language of whoever looks, with its numbers and names; one without arguments as it is', () => {
  const conditionIn = (reason: string, message: string, args?: Record<string, string>) => {
    const condition = { type: 'A', status: 'False' as const, reason, message, lastTransitionTime: at(1) };
    return viewOf({ conditions: [{ ...condition, ...(args && { args }) }] }, 'ja').conditions[0];
  };
  const english = sentence(gpuInstance.reasons.NoAgentOnNode, 'en', { node: 'node-a' });
  expect(conditionIn('NoAgentOnNode', english, { node: 'node-a' })).toMatchObject({
    reason: 'NoAgentOnNode',
    message: sentence(gpuInstance.reasons.NoAgentOnNode, 'ja', { node: 'node-a' }),
  });
  const reserved = said(CREDIT_SENTENCES.reserved);
  expect(conditionIn('Reserved', reserved.message, reserved.args)?.message).toBe('残高を確保しています。');
  expect(conditionIn('NoAgentOnNode', english)?.message).toBe(english);
  expect(conditionIn('NoAgentOnNode', 'Something else.')?.message).toBe('Something else.');
});

test('why it waits is told whole, also where one object waits for another', () => {
  const status = { phase: 'preparing', reason: 'DiskNotReady' };
  const detail = quoted('detail', said(dataDisk.reasons.Provisioning));
  expect(viewOf({ ...status, reasonArgs: { disk: 'dsk-1', ...detail } }, 'ja').message).toBe(
    'spec.disks：ディスク dsk-1 は現在マウントできません：ボリュームを作成しています。',
  );
});

test('the states that it was in are told in the language of whoever looks; one of a newer operator by its name', () => {
  const since = at(1);
  const history = [
    { phase: 'teleporting', reason: 'Beam', since },
    { phase: 'preparing', reason: 'HostNotFound', reasonArgs: { host: 'hst-1' }, since },
    { phase: 'stopped', since },
  ];
  const views = historyOf(gpuInstance, instance({ history } as GpuInstance['status']), { language: 'ja' });
  const waits = { phase: 'preparing', phase_label: '準備中', tone: 'progress', reason: 'HostNotFound', since };
  expect(views).toEqual([
    { phase: 'teleporting', phase_label: 'teleporting', tone: 'neutral', reason: 'Beam', message: null, since },
    { ...waits, message: sentence(gpuInstance.reasons.HostNotFound, 'ja', { host: 'hst-1' }) },
    { phase: 'stopped', phase_label: '停止', tone: 'neutral', reason: null, message: null, since },
  ]);
  expect(historyOf(gpuInstance, instance(), { language: 'ja' })).toEqual([]);
});

test('why a save goes on is told in the language, with what the registry said; what an older version wrote in English', () => {
  const message = 'Saving failed and will be retried: connection refused';
  const saved = { name: 's', phase: 'processing', message };
  const args = { detail: 'connection refused' };
  expect(viewOf({ snapshot: { ...saved, reason: 'Retrying', args } }, 'ja').save?.message).toBe(
    sentence(snapshot.reasons.Retrying, 'ja', args),
  );
  expect(viewOf({ snapshot: saved }, 'ja').save?.message).toBe(message);
});

test.each(['en', 'ja'] as const)('staff who look at a console see neither a command nor output (%s)', (language) => {
  const SECRET = '--token=hunter2';
  const ended = exitCodeSaid('127', `serving with ${SECRET}`);
  const reasonArgs = { cause: ended.message, ...quoted('ended', ended), at: at(3) };
  const message = `It exited: ${ended.message}.`;
  const states = { reason: 'BackOff', reasonArgs, message };
  const status = {
    phase: 'failed',
    ...states,
    conditions: [
      { type: 'Ready', status: 'False', lastTransitionTime: at(2), reason: 'BackOff', args: reasonArgs, message },
    ],
    history: [{ phase: 'failed', ...states, since: at(1) }],
  } as unknown as GpuInstance['status'];
  const whole = { ...instance(status) };
  whole.spec = { ...whole.spec, command: ['serve', SECRET], env: [{ name: 'TOKEN', value: SECRET }] };
  const beside = { region: { id: 'us-east', label: 'US East Washington' } };
  const seen = (role: 'member' | 'visitor') =>
    JSON.stringify([
      toView(gpuInstance, whole, { language, role }, beside),
      historyOf(gpuInstance, whole, { language, role }),
    ]);
  expect(seen('member')).toContain(SECRET);
  expect(seen('visitor')).not.toContain(SECRET);
  expect(seen('visitor')).toContain('127');
});
