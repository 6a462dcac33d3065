// Which arguments a deployment may give its engine.
import { expect, test } from '@jest/globals';
import { isReservedArgument } from './engines.ts';

test.each([
  '--port',
  '--port=1',
  '--port=\n1',
  '--por',
  '--served-model-name',
  '--served_model_name=x',
  '--served_mod',
  '--tensor_parallel-size=8',
  '--tp',
  '-tp',
  '-m',
  '-m=/models/model',
  '--ssl-keyfile',
  '--ssl_keyfile=/x',
  '--config=/models/model/own.yaml',
])('%j is the platform’s own', (argument) => {
  expect(isReservedArgument(argument)).toBe(true);
});

test.each([
  '--enable-prefix-caching',
  '--max-num-seqs=16',
  '--parallel',
  '--pooling',
  '--model-impl',
  '--ports',
  '--host-cache',
  '-mg',
  '--lora',
  '--max-lora-rank',
  '--tool-call-parser',
  '--ssm-cache',
  '/models/model/port',
  '4',
])('%j is left to those who deploy', (argument) => {
  expect(isReservedArgument(argument)).toBe(false);
});
