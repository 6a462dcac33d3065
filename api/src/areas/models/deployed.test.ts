import type { ModelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import type { Place } from '@gantry/contract/models/choose-setup.ts';
import { expect, test } from '@jest/globals';
import { type Found, setupFor } from './deployed.ts';

const GIB = 1024 ** 3;
const file = (path: string, bytes: number) => ({ path, sha256: path, bytes });
const TRAINED = [file('config.json', 600), file('model.safetensors', 8 * GIB), file('model.gguf', 4 * GIB)];
const SMALL = [file('config.json', 600), file('model.safetensors', 2 * GIB), file('model.gguf', GIB)];
const CPUS: Place = { model: undefined, cardBytes: 0, cards: 0, free: 0, cores: 16, memoryGi: 64 };
const CARDS: Place = { ...CPUS, model: 'H100', cardBytes: 80 * GIB, cards: 8, free: 8 };

function served(files: typeof TRAINED, wish: Partial<ModelDeployment['spec']>, places: readonly Place[]) {
  const entry = files.find(({ path }) => path.endsWith('.gguf'))?.path;
  const sizeBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const version = { format: 'safetensors', weightBytes: files[1]?.bytes ?? 0, files } as unknown as Found['version'];
  const weights = { sizeBytes, ...(entry !== undefined && { entry }) } as Found['weights'];
  const wished = { task: 'Generate', engine: 'auto', setup: 'Automatic', contextLength: 2048, ...wish } as const;
  const answer = setupFor(
    wished as unknown as ModelDeployment['spec'],
    { version, adapters: [], weights, versionIds: [], list: [] },
    places,
    [],
  );
  return 'setup' in answer ? answer.setup.engine : answer.reason;
}

test.each([
  ['SafeTensors where there are cards', {}, [CPUS, CARDS], 'vllm'],
  ['GGUF where there are none', {}, [CPUS], 'llama.cpp'],
  ['GGUF where an engine of it is wished for', { engine: 'llama.cpp' }, [CPUS, CARDS], 'llama.cpp'],
  ['nothing else where an engine of SafeTensors is wished for', { engine: 'vllm' }, [CPUS], 'DoesNotFit'],
] as const)('a version in both forms is served as %s', (_, wish, places, engine) => {
  expect(served(TRAINED, wish, places)).toBe(engine);
});

test('a small version in both forms needs no card, unless one is wished for', () => {
  expect(served(SMALL, {}, [CPUS, CARDS])).toBe('llama.cpp');
  expect(served(SMALL, { gpu: { model: 'H100', count: 1 } }, [CPUS, CARDS])).toBe('vllm');
});

test('a version in one form is served in that one', () => {
  expect(served(TRAINED.slice(0, 2), {}, [CPUS])).not.toBe('llama.cpp');
  expect(served(TRAINED.slice(0, 2), { engine: 'llama.cpp' }, [CPUS])).toBe('FormatUnsupported');
});

test('an adapter that is no GGUF keeps a version from being served as one', () => {
  const adapters = [{ name: 'legal', model: 'mdl-legal', version: 'v1' }];
  expect(served(TRAINED, { adapters }, [CPUS])).not.toBe('llama.cpp');
});
