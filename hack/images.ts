// The command line of `make images`: builds the platform's images into .run/images, without Docker, and pushes them.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { binary } from './binaries.ts';
import { writeOciLayout } from './images/oci-layout.ts';
import { buildPlatformImage, PLATFORM_IMAGES, type PlatformImage, SOURCE, tagOf } from './images/platform-images.ts';
import { goMaterials, npmMaterials, provenanceOf, readSource } from './images/provenance.ts';
import { run } from './run.ts';
import { say } from './say.ts';

const USAGE = `usage: images.ts [--registry REGISTRY] [--insecure] [--only IMAGE]…

  builds ${PLATFORM_IMAGES.join(', ')}
  into .run/images/<image>, and pushes each to REGISTRY/<image>:<version> if there is one; log in with \`crane auth login\`
  .run/images/values.yaml has the digests, for \`helm install --values\`; provenance.json says what they were built from

  REGISTRY    such as ghcr.io/acme/gantry; also from the environment
  --insecure  the registry speaks plain HTTP
`;

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}.run/images`;
const GO_SUMS = ['agent/go.sum', 'hack/bin/registry/go.sum'];

async function images(registry: string, only: readonly PlatformImage[], insecure: boolean): Promise<void> {
  await mkdir(folder, { recursive: true });
  const revision = (await run('git', ['rev-parse', 'HEAD']).catch(() => '')).trim() || undefined;
  const digests: Record<string, string> = {};
  for (const name of only) {
    const started = performance.now();
    const { image, bill } = await buildPlatformImage(name, `${folder}/build`, revision);
    const digest = await writeOciLayout(`${folder}/${name}`, image);
    await writeFile(`${folder}/${name}.cdx.json`, bill);
    digests[name] = digest;
    if (registry !== '') {
      const push = ['push', ...(insecure ? ['--insecure'] : []), `${folder}/${name}`];
      await run(await binary('crane'), [...push, `${registry}/${name}:${await tagOf(name)}`]);
    }
    const size = image.layers.reduce((sum, { packed }) => sum + packed.length, 0);
    say(`${name} ${digest} ${(size / 1e6).toFixed(1)} MB`, started);
  }
  const values = { image: { ...(registry !== '' && { registry }), digests } };
  // JSON is YAML.
  await writeFile(`${folder}/values.yaml`, `${JSON.stringify(values, undefined, 2)}\n`);
  await writeFile(`${folder}/provenance.json`, `${JSON.stringify(await provenance(digests))}\n`);
}

async function provenance(digests: Readonly<Record<string, string>>) {
  const sums = await Promise.all(GO_SUMS.map((path) => readFile(`${root}${path}`, 'utf8')));
  return provenanceOf({
    artefacts: Object.entries(digests).map(([name, digest]) => ({ name, digest })),
    source: await readSource(root, SOURCE),
    parameters: { images: Object.keys(digests).join(' ') },
    materials: [...npmMaterials(await readFile(`${root}package-lock.json`, 'utf8')), ...sums.flatMap(goMaterials)],
  });
}

const { values } = parseArgs({
  options: {
    registry: { type: 'string', default: process.env.REGISTRY ?? '' },
    insecure: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] as string[] },
    help: { type: 'boolean', default: false },
  },
});
const unknown = values.only.filter((name) => !PLATFORM_IMAGES.includes(name as PlatformImage));
if (values.help || unknown.length > 0) {
  if (unknown.length > 0) console.error(`--only ${unknown.join(', ')}: want some of ${PLATFORM_IMAGES.join(', ')}`);
  console.log(USAGE);
  process.exitCode = values.help ? 0 : 2;
} else {
  await images(
    values.registry,
    values.only.length > 0 ? (values.only as PlatformImage[]) : PLATFORM_IMAGES,
    values.insecure,
  );
}
