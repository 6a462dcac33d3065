// Everything that an installation needs, as one file for places without a way out: images in one OCI layout, the chart, checksums, and
// the program that brings the images into a registry. The same parts give the same bytes.
import { createHash } from 'node:crypto';
import { copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { run } from '../run.ts';
import type { Artefact } from './provenance.ts';
import type { Envelope } from './sign-statement.ts';

export interface BundleParts {
  /** Folders in the OCI layout, by what the images are called: gateway:1.1.5. */
  readonly images: Readonly<Record<string, string>>;
  readonly chart: string;
  /** `gantry`, as a static binary. */
  readonly program: string;
  /** Signs SHA256SUMS, and so all of it: an envelope with a signature, which becomes a file of the bundle. */
  readonly sign?: (sums: Artefact) => Promise<Envelope>;
}

/** The annotation of an index that names its image; agent/load reads it. */
const NAME = 'org.opencontainers.image.ref.name';

/** And the name by which the statement has it. */
const SUMS = 'SHA256SUMS';

interface Index {
  readonly manifests: readonly object[];
}

/** Writes the folder anew, and beside it <folder>.tar; resolves with the path of that. */
export async function writeBundle(folder: string, { images, chart, program, sign }: BundleParts): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await mergeLayouts(join(folder, 'images'), images);
  await cp(chart, join(folder, 'chart'), { recursive: true, dereference: true });
  await copyFile(program, join(folder, 'gantry'));
  const sums = await sumsOf(folder);
  await writeFile(join(folder, SUMS), sums);
  if (sign) {
    const digest = `sha256:${createHash('sha256').update(sums).digest('hex')}`;
    await writeFile(join(folder, 'provenance.dsse.json'), `${JSON.stringify(await sign({ name: SUMS, digest }))}\n`);
  }
  const archive = `${folder}.tar`;
  await run('tar', [
    ...['--create', '--file', archive, '--directory', dirname(folder)],
    ...[
      '--sort=name',
      '--mtime=@0',
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      '--mode=u=rwX,go=rX',
      '--format=ustar',
    ],
    basename(folder),
  ]);
  return archive;
}

/** Layers that several images share are there once. */
async function mergeLayouts(folder: string, images: BundleParts['images']): Promise<void> {
  const blobs = join('blobs', 'sha256');
  await mkdir(join(folder, blobs), { recursive: true });
  const manifests: object[] = [];
  for (const [name, layout] of Object.entries(images)) {
    for (const blob of await readdir(join(layout, blobs)))
      await copyFile(join(layout, blobs, blob), join(folder, blobs, blob));
    const index: Index = JSON.parse(await readFile(join(layout, 'index.json'), 'utf8'));
    manifests.push(...index.manifests.map((manifest) => ({ ...manifest, annotations: { [NAME]: name } })));
  }
  await writeFile(join(folder, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  await writeFile(join(folder, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests }));
}

/** As sha256sum writes and checks them. */
async function sumsOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const lines = await Promise.all(
    files.toSorted().map(async (file) => {
      const sum = createHash('sha256')
        .update(await readFile(file))
        .digest('hex');
      return `${sum}  ${relative(folder, file)}\n`;
    }),
  );
  return lines.join('');
}
