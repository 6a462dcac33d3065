// The provenance of what `make images` and `make bundle` built: artefacts from this repository and its lockfiles.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { DATA_WORKER_LOCK } from './data-worker.ts';
import { SOURCE } from './platform-images.ts';
import { type Artefact, goMaterials, npmMaterials, provenanceOf, readSource, type Statement } from './provenance.ts';
import { wheelsOf } from './python-image.ts';
import { TRAINER_LOCK } from './trainer.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const GO_SUMS = ['agent/go.sum', 'hack/bin/registry/go.sum'];

export async function buildProvenance(artefacts: readonly Artefact[]): Promise<Statement> {
  const sums = await Promise.all(GO_SUMS.map((path) => readFile(`${root}${path}`, 'utf8')));
  const locks = await Promise.all([DATA_WORKER_LOCK, TRAINER_LOCK].map((path) => readFile(path, 'utf8')));
  const wheels = [...new Set(locks.flatMap(wheelsOf))].map((uri) => ({ uri }));
  return provenanceOf({
    artefacts,
    source: await readSource(root, SOURCE),
    parameters: { artefacts: artefacts.map(({ name }) => name).join(' ') },
    materials: [
      ...npmMaterials(await readFile(`${root}package-lock.json`, 'utf8')),
      ...sums.flatMap(goMaterials),
      ...wheels,
    ],
  });
}
