import { expect, test } from '@jest/globals';
import { argsIn } from '../localized.ts';
import { quoted } from '../said.ts';
import { EXIT_CODES, exitCodeSaid, lastExitInWords } from './exits.ts';

test.each([
  ['126', 'exit code 126: the command exists but cannot be executed'],
  ['127', 'exit code 127: the image has no such command'],
  ['137', 'exit code 137: the program was killed (SIGKILL), but not for exceeding its memory limit'],
  ['139', 'exit code 139: the program accessed invalid memory (SIGSEGV)'],
  ['143', 'exit code 143: the program was told to stop (SIGTERM)'],
  ['1', 'exit code 1'],
  ['constructor', 'exit code constructor'],
])('the code %s is explained', (code, words) => {
  expect(exitCodeSaid(code).message).toBe(words);
});

test.each([...Object.keys(EXIT_CODES), '1', '42'])(
  'the words for %s that a status holds are told in every language',
  (code) => {
    const stored = quoted('ended', exitCodeSaid(code));
    expect(argsIn('zh', stored).ended).toBe(lastExitInWords(`exit code ${code}`, 'zh'));
    expect(argsIn('ja', stored).ended).toBe(lastExitInWords(`exit code ${code}`, 'ja'));
  },
);

test.each([
  ['OOMKilled', '内存不足'],
  ['exit code 127', '退出码 127：镜像中没有该命令'],
  ['exit code 3', '退出码 3'],
  ['OutOfcpu', 'OutOfcpu'],
  ['toString', 'toString'],
])('the end %s is told in Chinese', (lastExit, words) => {
  expect(lastExitInWords(lastExit, 'zh')).toBe(words);
});
