// A trainer as `agent task` starts one: ten steps, a point for each, a checkpoint after every second, files of a model at the end. It goes
// on from the checkpoint that it finds, and may be killed after a step.
import { createHash } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';

const JOURNAL = 3;
const STEPS = 10;
const EVERY = 2;
const [root = '', diesAfter = '0', waits = '0'] = process.argv.slice(2);
const recipe: { base: string; data: { parts: string[]; weight: number }[]; checkpoint?: string } = JSON.parse(
  readFileSync(`${root}/in/recipe.json`, 'utf8'),
);
const tell = (line: object) => writeSync(JOURNAL, `${JSON.stringify(line)}\n`);
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The agent removes the file that was named, once it is kept. */
function named(kept: string, path: string) {
  mkdirSync(`${root}/${path.slice(0, path.lastIndexOf('/'))}`, { recursive: true });
  linkSync(kept, `${root}/${path}`);
  const bytes = readFileSync(kept);
  return { path, sha256: sha256(bytes), bytes: bytes.length };
}

const weights = readFileSync(`${root}/${recipe.base}/model.safetensors`);
const config = readFileSync(`${root}/${recipe.base}/config.json`);
for (const { parts } of recipe.data) for (const part of parts) readFileSync(`${root}/${part}`);
const from = recipe.checkpoint ? Number(readFileSync(`${root}/${recipe.checkpoint}/trainer_state.json`, 'utf8')) : 0;
if (recipe.checkpoint) tell({ type: 'resumed', step: from });
tell({ type: 'rehearsal', peakBytes: 3_000_000, secondsPerStep: 0.5, longest: 12 });
for (let step = from + 1; step <= STEPS; step++) {
  const loss = 1 / step;
  tell({ type: 'point', step, of: STEPS, epoch: step / STEPS, loss, learningRate: 0.01, tokens: 100 * step });
  tell({ type: 'progress', step: 'training', done: step, of: STEPS });
  if (step % EVERY === 0) {
    const folder = `${root}/tmp/train/checkpoint-${step}`;
    mkdirSync(folder, { recursive: true });
    const files = {
      'model.safetensors': weights,
      'config.json': config,
      'optimizer.pt': Buffer.from(`\x80\x02 optimizer after ${step}`),
      'trainer_state.json': Buffer.from(`${step}`),
    };
    for (const [name, bytes] of Object.entries(files)) {
      writeFileSync(`${folder}/${name}`, bytes);
      const file = named(`${folder}/${name}`, `out/checkpoint-${step}/${name}`);
      tell({ type: 'checkpoint', step, files: Object.keys(files).length, name, ...file });
    }
  }
  if (step === Number(diesAfter)) process.kill(process.pid, 'SIGKILL');
  await new Promise((resolve) => setTimeout(resolve, Number(waits)));
}
mkdirSync(`${root}/tmp/result`, { recursive: true });
for (const [name, bytes] of Object.entries({ 'model.safetensors': weights, 'config.json': config })) {
  const kept = `${root}/tmp/result/${name}`;
  if (!existsSync(kept)) writeFileSync(kept, bytes);
  tell({ type: 'output', name, ...named(kept, `out/model/${name}`) });
}
tell({ type: 'done', rows: 8, rejected: 1 });
