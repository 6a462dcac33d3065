// A bundle is packed here, unpacked elsewhere, and loaded by its own program into a real registry; then the chart finds its images there.
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { binary } from '../../hack/binaries.ts';
import { buildAgent } from '../../hack/images/build.ts';
import { writeBundle } from '../../hack/images/bundle.ts';
import { layerOf, writeOciLayout } from '../../hack/images/oci-layout.ts';
import { type Artefact, provenanceOf } from '../../hack/images/provenance.ts';
import { signStatement } from '../../hack/images/sign-statement.ts';
import { run } from '../../hack/run.ts';
import { type Child, startChild } from '../support/child.ts';
import { type Ended, runCommand } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { freePorts } from '../support/free-ports.ts';

const BUILD_MS = 1_200_000;
const NAMES = ['gateway', 'operator'] as const;

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const BUILD = {
  source: { repository: 'https://git.example', commit: undefined },
  parameters: { a: 'b' },
  materials: [],
};

let folder: string;
let registry: Child;
/** Its path in front of images. */
let place: string;
let archive: string;
let digests: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-bundle-'));
  const [port] = await freePorts(1);
  const config = join(folder, 'registry.json');
  const settings = {
    version: '0.1',
    log: { level: 'warn' },
    storage: { filesystem: { rootdirectory: join(folder, 'registry') } },
    http: { addr: `127.0.0.1:${port}` },
  };
  await writeFile(config, JSON.stringify(settings));
  registry = startChild(await binary('registry'), ['serve', config], join(folder, 'registry.log'));
  place = `127.0.0.1:${port}/inner/gantry`;
  await eventually('the registry answers', async () => (await fetch(`http://127.0.0.1:${port}/v2/`)).ok);
  archive = await bundled('gantry-1.1.5');
}, BUILD_MS);
afterAll(async () => {
  await registry?.end();
  await rm(folder, { recursive: true, force: true });
});

/** Small images that share a layer, as those of the platform do. */
async function bundled(name: string): Promise<string> {
  const shared = layerOf([{ path: 'shared', content: 'the same' }]);
  const layouts = await Promise.all(
    NAMES.map(async (own) => {
      const layout = join(folder, `${own}.oci`);
      const layers = [shared, layerOf([{ path: own, content: own }])];
      return { own, layout, digest: await writeOciLayout(layout, { layers, entrypoint: [`/${own}`] }) };
    }),
  );
  digests = Object.fromEntries(layouts.map(({ own, digest }) => [own, digest]));
  const sign = async (sums: Artefact) => signStatement(provenanceOf({ ...BUILD, artefacts: [sums] }), privateKey);
  return writeBundle(join(folder, name), {
    sign,
    images: Object.fromEntries(layouts.map(({ own, layout }) => [`${own}:1.1.5`, layout])),
    chart: 'charts/gantry',
    program: await buildAgent({ dir: folder }, 'load'),
  });
}

async function unpacked(name: string): Promise<string> {
  const elsewhere = await mkdtemp(join(folder, `${name}-`));
  await run('tar', ['--extract', '--file', archive, '--directory', elsewhere]);
  return join(elsewhere, 'gantry-1.1.5');
}

const load = (bundle: string, ...flags: string[]): Promise<Ended> =>
  runCommand(join(bundle, 'gantry'), ['load', '--plain-http', ...flags], { env: { DOCKER_CONFIG: folder } });

test('the same parts make the same file, whose checksums sha256sum confirms', async () => {
  const first = await readFile(archive);
  expect((await readFile(await bundled('gantry-1.1.5'))).equals(first)).toBe(true);
  const bundle = await unpacked('checked');
  const { code, stdout } = await runCommand('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: bundle });
  expect([code, stdout]).toEqual([0, expect.stringContaining('chart/Chart.yaml: OK')]);
  // The checkout's chart has a link to it.
  expect(stdout).toContain('chart/files/crds/organizations.yaml: OK');
});

test('loaded, every image is in the registry by its digest, and the chart takes it from there', async () => {
  const bundle = await unpacked('loaded');
  const { code, stdout, stderr } = await load(bundle, `--registry=${place}`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const crane = await binary('crane');
  for (const name of NAMES) {
    expect(stdout).toContain(`${place}/${name}:1.1.5@${digests[name]}`);
    expect((await run(crane, ['digest', '--insecure', `${place}/${name}:1.1.5`])).trim()).toBe(digests[name]);
  }
  const rendered = await run(await binary('helm'), [
    ...['template', 'gantry', join(bundle, 'chart'), '--namespace', 'gantry-system', '--kube-version', '1.34.0'],
    ...['--values', join(bundle, 'values.yaml')],
  ]);
  for (const name of NAMES) expect(rendered).toContain(`image: "${place}/${name}@${digests[name]}"`);
  expect(rendered).not.toContain('ghcr.io');
  for (const kind of ['CustomResourceDefinition', 'ValidatingAdmissionPolicy'])
    expect(rendered).toContain(`\nkind: ${kind}\n`);
});

test('a bundle that was changed on its way is refused with the file, and nothing is pushed', async () => {
  const bundle = await unpacked('changed');
  await writeFile(join(bundle, 'chart/Chart.yaml'), 'name: other\n');
  const { code, stderr } = await load(bundle, `--registry=${place}/never`);
  expect(code).toBe(1);
  expect(stderr).toContain('gantry load: chart/Chart.yaml is not as it was packed: fetch the bundle again');
  expect((await fetch(`http://${place.replace('/', '/v2/')}/never/gateway/tags/list`)).status).toBe(404);
});

test('with a key, a bundle must be signed by its owner, as a whole', async () => {
  const write = async (name: string, key: typeof publicKey) => {
    await writeFile(join(folder, name), key.export({ type: 'spki', format: 'pem' }));
    return `--public-key=${join(folder, name)}`;
  };
  const ours = await write('ours.pem', publicKey);
  const bundle = await unpacked('signed');
  const { code, stdout, stderr } = await load(bundle, `--registry=${place}`, ours);
  expect([code, stderr, stdout]).toEqual([0, '', expect.stringContaining('signed with the key of ')]);
  const others = await write('others.pem', generateKeyPairSync('ed25519').publicKey);
  const refused = await load(bundle, `--registry=${place}/never`, others);
  expect([refused.code, refused.stderr]).toEqual([1, 'gantry load: the bundle is not signed with this key\n']);
  // Whoever changes a file can change the sums, too.
  await writeFile(join(bundle, 'chart/Chart.yaml'), 'name: other\n');
  const sums = (await run('sh', ['-c', `cd '${bundle}' && cut -c67- SHA256SUMS | xargs sha256sum`])).trimEnd();
  await writeFile(join(bundle, 'SHA256SUMS'), `${sums}\n`);
  const forged = await load(bundle, `--registry=${place}/never`, ours);
  expect([forged.code, forged.stderr]).toEqual([1, expect.stringContaining('the signature is of another bundle')]);
  await rm(join(bundle, 'provenance.dsse.json'));
  const bare = await load(bundle, `--registry=${place}/never`, ours);
  expect([bare.code, bare.stderr]).toEqual([1, expect.stringContaining('the bundle is not signed: it has no')]);
});

test('a registry that is away, or none, gets a sentence', async () => {
  const bundle = await unpacked('nowhere');
  const [free] = await freePorts(1);
  const away = await load(bundle, `--registry=127.0.0.1:${free}/gantry`);
  expect([away.code, away.stderr]).toEqual([
    1,
    expect.stringMatching(/gantry load: gateway:1\.1\.5 could not be pushed: /),
  ]);
  const none = await load(bundle);
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('--registry: must say where to')]);
});
