// Nobody reads a route's id in the audit log: each action has a name in every language.
import { expect, test } from '@jest/globals';
import { LANGUAGES } from '../../fields/language.ts';
import { ROUTES } from '../../http/routes.ts';
import * as en from '../../words/en/audit-actions.ts';
import { actionName } from './action-name.ts';

const written = Object.values(ROUTES).filter(({ method }) => method !== 'GET');

test.each(LANGUAGES)('every action that the log can have has a name in %s', (language) => {
  expect(written.map(({ id }) => id).filter((id) => !actionName(id, language))).toEqual([]);
});

test.each([
  ['openTerminal', { en: 'Open a terminal of an instance', zh: '打开实例终端', ja: 'インスタンスのターミナルを開く' }],
  ['createFineTune', { en: 'Fine-tuning task: create', zh: '微调任务：创建', ja: 'ファインチューニングタスク：作成' }],
  ['adminActInstances', { en: 'Instance: command', zh: '实例：操作', ja: 'インスタンス：操作' }],
  ['gpuFaultDrain', { en: 'Empty a node with a faulty GPU', zh: '清空 GPU 故障节点', ja: 'GPU 故障のノードを退避' }],
  ['adminReplicaLogServices', { en: 'Read a log', zh: '查看日志', ja: 'ログを表示' }],
  ['listInstances', { en: 'Read', zh: '查看', ja: '表示' }],
])('%s has its name', (action, names) => {
  expect(Object.fromEntries(LANGUAGES.map((language) => [language, actionName(action, language)]))).toEqual(names);
});

test('what is no action of today has none, and no name is left over', () => {
  expect(actionName('flewAway', 'en')).toBeUndefined();
  const own = [
    'idlePolicy',
    'gpuFaultCordon',
    'gpuFaultDrain',
    'terminalOpened',
    'terminalReattached',
    'terminalLeft',
    'terminalClosed',
  ];
  const ids = new Set([...written.map(({ id }) => id), ...own]);
  expect(Object.keys(en.actions).filter((id) => !ids.has(id))).toEqual([]);
});
