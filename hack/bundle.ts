// The command line of `make bundle`: the platform's images, its chart and the program that loads them, as one file in .run/bundle.
import { mkdir, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { buildAgent } from './images/build.ts';
import { writeBundle } from './images/bundle.ts';
import { writeOciLayout } from './images/oci-layout.ts';
import { buildPlatformImage, PLATFORM_IMAGES, tagOf } from './images/platform-images.ts';
import { say } from './say.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}.run/bundle`;
const started = performance.now();

await mkdir(folder, { recursive: true });
const images: Record<string, string> = {};
for (const name of PLATFORM_IMAGES) {
  const { image } = await buildPlatformImage(name, `${folder}/build`);
  const layout = `${folder}/build/${name}`;
  const digest = await writeOciLayout(layout, image);
  images[`${name}:${await tagOf(name)}`] = layout;
  say(`${name} ${digest}`, started);
}
const archive = await writeBundle(`${folder}/gantry-${await tagOf('gateway')}`, {
  images,
  chart: `${root}charts/gantry`,
  program: await buildAgent({ dir: `${folder}/build` }, 'load'),
});
const { size } = await stat(archive);
say(
  `${archive}, ${(size / 1e6).toFixed(0)} MB: unpack it beside the registry, and run ./gantry load --registry=…`,
  started,
);
