// The parsed options of the gateway that are more than a word or a number.
import { BadConfig } from '@gantry/kube/options.ts';
import { expect, test } from '@jest/globals';
import { readConfig } from './config.ts';

const read = (...flags: string[]) => {
  const config = readConfig(['--data-dir=x', '--platform-key-file=package.json', ...flags], {});
  if (config === 'help') throw new Error('help was asked for');
  return config;
};

test.each([
  ['', {}],
  ['vllm=vllm/vllm-openai:v9', { vllm: 'vllm/vllm-openai:v9' }],
  ['llama.cpp-gpu=a/b@sha256:1,sglang=c', { 'llama.cpp-gpu': 'a/b@sha256:1', sglang: 'c' }],
])('%j are images of engines', (text, images) => expect(read(`--engine-images=${text}`).engineImages).toEqual(images));

test.each(['vllm', 'vllm=', 'other=a', 'llama-cpp=a', 'vllm=a b'])('%j are none', (text) =>
  expect(() => read(`--engine-images=${text}`)).toThrow(BadConfig),
);
