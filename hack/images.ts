// The command line of `make images`: builds the platform's images into .run/images, without Docker, and pushes them.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { binary } from './binaries.ts';
import { buildProvenance } from './images/build-provenance.ts';
import { bytesOf, writeOciLayout } from './images/oci-layout.ts';
import { buildPlatformImage, PLATFORM_IMAGES, type PlatformImage, tagOf } from './images/platform-images.ts';
import { signingKey, signStatement } from './images/sign-statement.ts';
import { run } from './run.ts';
import { say } from './say.ts';

const USAGE = `usage: images.ts [--registry REGISTRY] [--insecure] [--only IMAGE]…

  builds ${PLATFORM_IMAGES.join(', ')}
  into .run/images/<image>, and pushes each to REGISTRY/<image>:<version> if there is one; log in with \`crane auth login\`
  .run/images/values.yaml has the digests, for \`helm install --values\`; provenance.json says what they were built from;
  with SIGNING_KEY, a file with an Ed25519 key, provenance.dsse.json is the same, signed

  REGISTRY    such as ghcr.io/acme/gantry; also from the environment
  --insecure  the registry speaks plain HTTP
`;

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}.run/images`;

async function images(registry: string, only: readonly PlatformImage[], insecure: boolean): Promise<void> {
  const key = signingKey();
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
    const size = image.layers.reduce((sum, layer) => sum + bytesOf(layer), 0);
    say(`${name} ${digest} ${(size / 1e6).toFixed(1)} MB`, started);
  }
  const values = { image: { ...(registry !== '' && { registry }), digests } };
  // JSON is YAML.
  await writeFile(`${folder}/values.yaml`, `${JSON.stringify(values, undefined, 2)}\n`);
  const statement = await buildProvenance(Object.entries(digests).map(([name, digest]) => ({ name, digest })));
  await writeFile(`${folder}/provenance.json`, `${JSON.stringify(statement)}\n`);
  const signed = `${folder}/provenance.dsse.json`;
  if (key) await writeFile(signed, `${JSON.stringify(signStatement(statement, key))}\n`);
  else await rm(signed, { force: true });
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
