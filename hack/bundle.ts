// The command line of `make bundle`: the platform's images, its chart and the program that loads them, as one file in .run/bundle.
import { mkdir, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { buildAgent } from './images/build.ts';
import { buildProvenance } from './images/build-provenance.ts';
import { writeBundle } from './images/bundle.ts';
import { writeOciLayout } from './images/oci-layout.ts';
import { buildPlatformImage, PLATFORM_IMAGES, tagOf } from './images/platform-images.ts';
import type { Artefact } from './images/provenance.ts';
import { signingKey, signStatement } from './images/sign-statement.ts';
import { run } from './run.ts';
import { say } from './say.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}.run/bundle`;
const started = performance.now();
const key = signingKey();

await mkdir(folder, { recursive: true });
// Absent outside of a checkout. With it the images are those of `make images`, to the byte.
const revision = (await run('git', ['rev-parse', 'HEAD']).catch(() => '')).trim() || undefined;
const images: Record<string, string> = {};
const artefacts: Artefact[] = [];
for (const name of PLATFORM_IMAGES) {
  const { image } = await buildPlatformImage(name, `${folder}/build`, revision);
  const layout = `${folder}/build/${name}`;
  const digest = await writeOciLayout(layout, image);
  images[`${name}:${await tagOf(name)}`] = layout;
  artefacts.push({ name, digest });
  say(`${name} ${digest}`, started);
}
const archive = await writeBundle(`${folder}/gantry-${await tagOf('gateway')}`, {
  images,
  chart: `${root}charts/gantry`,
  program: await buildAgent({ dir: `${folder}/build` }, 'load'),
  ...(key && { sign: async (sums) => signStatement(await buildProvenance([sums, ...artefacts]), key) }),
});
const { size } = await stat(archive);
say(
  `${archive}, ${(size / 1e6).toFixed(0)} MB: unpack it beside the registry, and run ./gantry load --registry=…`,
  started,
);
