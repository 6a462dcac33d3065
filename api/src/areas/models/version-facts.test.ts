// Facts of a version out of its headers and its config, whatever that holds.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { TensorFacts } from './formats/refusal.ts';
import { licenseOf, missingShard, type ReadFile, versionFacts } from './version-facts.ts';

const tensors = (parameters: number, types: Record<string, number> = { BF16: 2 * parameters }): TensorFacts => ({
  parameters,
  bytes: Object.values(types).reduce((all, one) => all + one, 0),
  types: new Map(Object.entries(types)),
});
const safetensors = (path: string, parameters: number): ReadFile => ({ path, safetensors: tensors(parameters) });
const gguf = (path: string, parameters: number, metadata: Record<string, string | number> = {}): ReadFile => ({
  path,
  gguf: { ...tensors(parameters, { Q4_K: parameters, F32: 4 }), metadata: new Map(Object.entries(metadata)) },
});

test.each<[string, ReadFile[], unknown, object]>([
  [
    'parts of one model count together, and a whole copy beside them or in a folder does not',
    [
      safetensors('m-00001-of-00002.safetensors', 10),
      safetensors('m-00002-of-00002.safetensors', 5),
      safetensors('consolidated.safetensors', 15),
      safetensors('original/m.safetensors', 15),
    ],
    undefined,
    { parameters: 15, weightBytes: 30, quantisation: 'BF16', structure: null },
  ],
  [
    'the method of a quantised model is its quantisation',
    [safetensors('m.safetensors', 1)],
    { quantization_config: { quant_method: 'awq' } },
    { quantisation: 'awq' },
  ],
  [
    'a model with pictures has the numbers of its text',
    [safetensors('m.safetensors', 1)],
    {
      architectures: ['X'],
      text_config: { max_position_embeddings: 7, num_hidden_layers: 2, num_attention_heads: 3, head_dim: 5 },
    },
    { structure: 'X', contextLength: 7, kvBytesPerToken: 2 * 3 * 10 * 2, attentionHeads: 3 },
  ],
  [
    'a GGUF model of several types is its first one',
    [
      gguf('a-Q4.gguf', 8, { 'general.architecture': 'llama', 'llama.context_length': 9 }),
      gguf('a-Q8.gguf', 8),
      { path: 'README.md' },
    ],
    undefined,
    {
      format: 'gguf',
      parameters: 8,
      quantisation: 'Q4_K',
      structure: 'llama',
      contextLength: 9,
      kvBytesPerToken: null,
    },
  ],
  ['what is no model is something else', [{ path: 'x.onnx' }], undefined, { format: 'other', parameters: null }],
])('%s', (_, files, config, facts) => {
  expect(versionFacts(files, config)).toMatchObject(facts);
});

test.each<[unknown, string | null]>([
  ['apache-2.0', 'apache-2.0'],
  ['MIT OR (Apache-2.0 WITH LLVM-exception)', 'MIT OR (Apache-2.0 WITH LLVM-exception)'],
  ['mit\nsecond line', null],
  ['<b>mit</b>', null],
  ['mit\u202e', null],
  ['x'.repeat(64), null],
  ['', null],
  [7, null],
  [['mit'], null],
])('a GGUF header that names the licence %j has the licence %j', (said, license) => {
  const metadata = { 'general.license': said } as Record<string, string>;
  expect(licenseOf([{ path: 'README.md' }, gguf('a.gguf', 8, metadata)])).toBe(license);
});

test('a config that says nonsense makes no facts, and never fails', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const config = { architectures: value, text_config: value, num_hidden_layers: value, head_dim: value };
      for (const each of [value, config]) {
        const { structure, kvBytesPerToken } = versionFacts([safetensors('m.safetensors', 1)], each);
        expect(structure === null || /^[\w.+-]{1,100}$/.test(structure)).toBe(true);
        expect(kvBytesPerToken === null || Number.isSafeInteger(kvBytesPerToken)).toBe(true);
      }
    }),
  );
});

test.each([
  [['m-00001-of-00003.gguf', 'm-00003-of-00003.gguf'], 'm-00002-of-00003.gguf'],
  [['m-00001-of-00001.gguf', 'other.txt'], undefined],
  [['m-00001-of-99999.gguf'], undefined],
])('of %j %s is missing', (paths, missing) => {
  expect(missingShard(paths)).toBe(missing);
});
