// The image of the trainer: Debian's Python and torch, the wheels that its lockfile names, and its source. It takes minutes to make, so
// a process that nobody waits for makes it once the cluster is up, and `make status` says how that goes.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { crane } from '../crane.ts';
import type { Layout } from '../layout.ts';
import { findProcess, startProcess } from '../process.ts';
import { writeChanged } from '../write-changed.ts';
import { officialName } from './build.ts';
import { writeOciLayout } from './oci-layout.ts';
import { keyOf, type PythonProgram, pythonImage } from './python-image.ts';

export const TRAINER_LOCK = fileURLToPath(new URL('../../trainer/requirements.lock', import.meta.url));

const LIBRARIES = 'usr/lib/x86_64-linux-gnu';
const TORCH = 'usr/lib/python3/dist-packages/torch';

export const TRAINER: PythonProgram = {
  name: 'trainer',
  // OpenBLAS: the reference BLAS that torch would get is many times slower.
  packages: ['python3', 'base-files', 'libstdc++6', 'tzdata', 'python3-torch', 'libopenblas0-pthread'],
  lock: TRAINER_LOCK,
  sources: [
    { room: 'trainer', folder: 'gantry_trainer' },
    // Its journal, problems and places.
    { room: 'data-worker', folder: 'gantry_worker' },
  ],
  notShipped: [
    ...[
      '*.pyi',
      '*.pxd',
      '*.pyx',
      'usr/lib/libtorch-test',
      `${TORCH}/bin/*[tT]est*`,
      `${TORCH}/test`,
      `${TORCH}/include`,
    ],
    ...['usr/include', 'usr/share/doc/*/examples', 'app/lib/pyarrow/include', 'app/lib/pyarrow/src'],
  ],
  // llama.cpp's converter, which no wheel has; of the suite of the engine's own image.
  brings: {
    suite: 'sid',
    packages: ['llama.cpp-tools', 'python3-gguf'],
    to: 'usr/share/llama.cpp',
    files: {
      conversion: 'usr/share/llama.cpp/llama.cpp-tools/conversion',
      gguf: 'usr/lib/python3/dist-packages/gguf',
      'convert_hf_to_gguf.py': 'usr/share/doc/llama.cpp-tools/scripts/convert_hf_to_gguf.py',
    },
  },
  // What Debian's alternatives would choose.
  links: {
    [`${LIBRARIES}/libblas.so.3`]: 'openblas-pthread/libblas.so.3',
    [`${LIBRARIES}/libopenblas.so.0`]: 'openblas-pthread/libopenblas.so.0',
    [`${LIBRARIES}/liblapack.so.3`]: 'openblas-pthread/liblapack.so.3',
  },
  env: { HF_HUB_OFFLINE: '1', HF_HUB_DISABLE_TELEMETRY: '1', TOKENIZERS_PARALLELISM: 'false' },
};

export const TRAINER_PROCESS = 'trainer-image';

/** With a tag that says what is in it: nodes keep what they once pulled under a tag, and it has a name before it is made. */
async function trainerName(): Promise<string> {
  return `${await officialName('trainer')}-${await keyOf(TRAINER)}`;
}

/** As the cluster's nodes pull it. */
export async function trainerImage({ registry }: Layout): Promise<string> {
  return `${registry.images}/${await trainerName()}`;
}

interface Outcome {
  readonly name: string;
  /** Why it was not made; absent: it is there. */
  readonly failed?: string;
}

const outcomeFile = ({ dir }: Layout) => `${dir}/images/trainer.json`;

/** Returns at once. A process that runs already goes on. */
export async function beginTrainer(cluster: Layout): Promise<void> {
  const program = fileURLToPath(new URL('push-trainer.ts', import.meta.url));
  const words = [process.execPath, program, cluster.name, `${cluster.nodes.length}`];
  await startProcess(cluster, { name: TRAINER_PROCESS, command: ['nice', '-n', '19', ...words] });
}

/** Makes and pushes it unless it is there, and notes how that ended. */
export async function pushTrainer(cluster: Layout): Promise<void> {
  const name = await trainerName();
  const note = (outcome: Outcome) => writeChanged(outcomeFile(cluster), JSON.stringify(outcome));
  const reference = `${cluster.registry.address}/${name}`;
  try {
    if ((await crane(cluster, ['digest', reference]).catch(() => '')) === '') {
      const { purls, ...image } = await pythonImage(TRAINER);
      const folder = `${cluster.dir}/images/trainer.oci`;
      await writeOciLayout(folder, image);
      await crane(cluster, ['push', folder, reference]);
    }
    await note({ name });
  } catch (error) {
    await note({ name, failed: (error as Error).message });
  }
}

/** Such as: there, being made. */
export async function stateOfTrainer(cluster: Layout): Promise<string> {
  if (await findProcess(cluster, TRAINER_PROCESS)) return 'being made';
  const text = await readFile(outcomeFile(cluster), 'utf8').catch(() => undefined);
  if (text === undefined) return 'not made';
  const { name, failed }: Outcome = JSON.parse(text);
  if (failed !== undefined) return `failed, and fine-tuning waits for it; \`make up\` tries again: ${failed}`;
  return name === (await trainerName()) ? 'there' : 'of an earlier version; `make up` makes this one';
}
