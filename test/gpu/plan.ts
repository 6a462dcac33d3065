// Gantry's setups for the models that `teach.py` has made, on a node with one card: setups and command lines as JSON, for `serve.py`. `node
// test/gpu/plan.ts FOLDER CARD MEBIBYTES`, for example `node test/gpu/plan.ts /tmp/models H100 81559`.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { readSafetensors } from '../../api/src/areas/models/formats/safetensors.ts';
import { type ReadFile, versionFacts } from '../../api/src/areas/models/version-facts.ts';
import { chooseSetup } from '../../contract/src/models/choose-setup.ts';
import { ENGINE_FACTS } from '../../contract/src/models/engines.ts';

const [folder = '.', model = 'H100', mebibytes = '81559'] = process.argv.slice(2);
const place = { model, cardBytes: Number(mebibytes) * 1024 ** 2, cards: 1, free: 1, cores: 16, memoryGi: 128 };

/** `eight` has no weights: vLLM makes some up, and the facts are those of the real ones. */
const EIGHT: ReadFile = {
  path: 'model.safetensors',
  safetensors: { types: new Map([['BF16', 16_060_522_496]]), parameters: 8_030_261_248, bytes: 16_060_522_496 },
};
const RUNS = [
  { name: 'taught', adapters: [{ name: 'other' }], wish: {}, extraArgs: [] },
  // So little that the context is what is left over: an engine that takes more than we think does not start.
  { name: 'eight', adapters: [], wish: { memoryFraction: 0.35 }, extraArgs: ['--load-format', 'dummy'] },
];

const runs = RUNS.map(async ({ name, adapters, wish, extraArgs }) => {
  const config: unknown = JSON.parse(await readFile(join(folder, name, 'config.json'), 'utf8'));
  const facts = versionFacts([name === 'eight' ? EIGHT : await weightsOf(name)], config);
  const answer = chooseSetup(
    { task: 'Generate', engine: 'vllm', setup: 'Automatic', gpu: { model, count: 1 }, ...wish },
    {
      format: facts.format,
      sizeBytes: facts.weightBytes ?? 0,
      weightBytes: facts.weightBytes ?? undefined,
      kvTokenBytes: facts.kvBytesPerToken ?? undefined,
      contextLength: facts.contextLength ?? undefined,
    },
    [place],
  );
  if (!('setup' in answer)) throw new Error(`${name}: ${answer.reason} ${JSON.stringify(answer.args)}`);
  const { setup } = answer;
  const { command, port } = ENGINE_FACTS[setup.engine];
  const { contextLength, memoryFraction } = setup;
  const told = {
    name,
    task: 'Generate' as const,
    entry: undefined,
    adapters,
    hasGpu: true,
    tensorParallel: 1,
    nodes: 1,
  };
  return { name, facts, setup, port, command: command({ ...told, contextLength, memoryFraction, extraArgs }) };
});

async function weightsOf(name: string): Promise<ReadFile> {
  const path = 'model.safetensors';
  const bytes = await readFile(join(folder, name, path));
  const safetensors = readSafetensors(bytes, bytes.length);
  if (!('bytes' in safetensors)) throw new Error(`${name}: ${JSON.stringify(safetensors)}`);
  return { path, safetensors };
}

process.stdout.write(`${JSON.stringify(await Promise.all(runs), null, 1)}\n`);
