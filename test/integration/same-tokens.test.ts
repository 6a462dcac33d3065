// What a model is taught is what an engine asks it later: for a thousand prompts, the trainer's token ids are those of llama.cpp, from the
// same base and chat template. An evaluation has no tokens of its own: it asks the engine for chat completions, whose count is compared.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENGINE_FACTS } from '@gantry/contract/models/engines.ts';
import { afterAll, expect, test } from '@jest/globals';
import { cacheDir } from '../../hack/binaries.ts';
import { llamaRootFile } from '../../hack/images/engine-images.ts';
import { run } from '../../hack/run.ts';
import { runCommand } from '../support/command.ts';
import { endingWithUs } from '../support/ending-with-us.ts';
import { eventually } from '../support/eventually.ts';
import { freePorts } from '../support/free-ports.ts';
import { inRoot, trainerPython } from '../support/trainer.ts';

const PROMPTS = 1_000;
const LIMIT_MS = 600_000;
const STARTS_WITHIN_MS = 120_000;
const AT_ONCE = 8;
/** Each makes another text of the same number: languages, marks, spaces, digits, and names of special tokens. */
const FORMS: readonly ((n: number) => string)[] = [
  (n) => `Where does ferry ${n} leave from?`,
  (n) => `第${n}号渡轮从哪个码头出发？票价是${n * 7}克朗。`,
  (n) => `${n}番のフェリーはどこから出ますか？　料金は？`,
  (n) => `  two  spaces\t${n}\n\n\nand lines \r\n${' '.repeat(n % 9)}`,
  (n) => `${n}${n}${n}${n} 3.14159${n} -${n}e${n % 30}`,
  (n) => `👩‍👩‍👧‍👦 🇳🇴${n} e\u0301 ﬁ ﷽ \u200b\u202e${n}`,
  (n) => `if (x[${n}] !== y) { return \`\${z}\`; } // don't we'll I'VE`,
  (n) => `<|user|>${n}<|assistant|></s><s> <pad>`,
  (n) => `${'ab'.repeat(n % 200)}${'Ünïcödé'.repeat(n % 7)}${n}`,
  (n) => `${String.fromCodePoint(0x3400 + n)}${String.fromCodePoint(0x1f300 + (n % 500))}`,
];
const prompts = Array.from({ length: PROMPTS }, (_, n) => (FORMS[n % FORMS.length] as (n: number) => string)(n));

const python = await trainerPython();
const version = ENGINE_FACTS['llama.cpp'].image.split(':').at(-1) ?? '';
const packed = llamaRootFile(version);
const canRun = python !== undefined && existsSync(packed);
// A pass that looked at nothing must not look like one.
if (!canRun)
  console.warn('not compared: `make up` has not made the images of trainer and engine here, or this is not root');

const folders: string[] = [];
let engine: ChildProcess | undefined;
afterAll(async () => {
  engine?.kill('SIGKILL');
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

/** Resolves with its address. */
async function startEngine(model: string): Promise<string> {
  const root = `${cacheDir}/roots/llama.cpp-${version}`;
  if (!existsSync(root)) {
    const making = await mkdtemp(`${cacheDir}/roots/making-`);
    await run('tar', ['-xf', packed, '-C', making]);
    await run('mv', ['-T', making, root]);
  }
  const [port = 0] = await freePorts(1);
  const words = ['--model', model, '--host', '127.0.0.1', '--port', `${port}`, '--jinja', '--parallel', `${AT_ONCE}`];
  const [program, ...args] = inRoot(root, '/usr/bin/llama-server', ...words);
  engine = spawn(...endingWithUs(`${program}`, args), { stdio: 'ignore' });
  const address = `http://127.0.0.1:${port}`;
  await eventually('an engine', async () => (await fetch(`${address}/health`)).ok, STARTS_WITHIN_MS);
  return address;
}

(canRun ? test : test.skip)(
  'a thousand prompts have the same token ids for training and for the engine',
  async () => {
    await mkdir(`${cacheDir}/roots`, { recursive: true });
    const folder = await mkdtemp(join(tmpdir(), 'gantry-tokens-'));
    folders.push(folder);
    await writeFile(join(folder, 'prompts.json'), JSON.stringify(prompts));
    const start = `import os, sys, runpy; os.chdir('/room/trainer'); sys.argv = ['', '${folder}']; runpy.run_module('tests.same_tokens', run_name='__main__')`;
    const [command, args] = python?.command('-c', start) ?? ['false', []];
    const made = await runCommand(command, args);
    expect({ code: made.code, said: made.code === 0 ? '' : made.stderr }).toEqual({ code: 0, said: '' });
    const taught: number[][] = JSON.parse(await readFile(join(folder, 'ids.json'), 'utf8'));
    expect(new Set(taught.map((ids) => JSON.stringify(ids))).size).toBeGreaterThan(PROMPTS / 2);

    const address = await startEngine(join(folder, 'base.gguf'));
    const ask = async <T>(path: string, body: object): Promise<T> => {
      const answer = await fetch(`${address}${path}`, { method: 'POST', body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as T;
    };
    const compare = async (n: number) => {
      const messages = [{ role: 'user', content: prompts[n] }];
      const { prompt } = await ask<{ prompt: string }>('/apply-template', { messages });
      const { tokens } = await ask<{ tokens: number[] }>('/tokenize', { content: prompt, parse_special: true });
      expect({ prompt: prompts[n], ids: tokens }).toEqual({ prompt: prompts[n], ids: taught[n] });
      const { usage } = await ask<{ usage: { prompt_tokens: number } }>('/v1/chat/completions', {
        ...{ messages, max_tokens: 1 },
      });
      expect(usage.prompt_tokens).toBe(taught[n]?.length);
    };
    for (let at = 0; at < PROMPTS; at += AT_ONCE)
      await Promise.all(Array.from({ length: Math.min(AT_ONCE, PROMPTS - at) }, (_, n) => compare(at + n)));
  },
  LIMIT_MS,
);
