// A version that follows this one, for stories about upgrades: the same programs under another number, as images and as a chart, with
// one more migration.
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crane } from '../../hack/crane.ts';
import { CHART } from '../../hack/helm/install-chart.ts';
import { layerOf, writeOciLayout } from '../../hack/images/oci-layout.ts';
import { buildPlatformImage, FIRST_IMAGES, type PlatformImage } from '../../hack/images/platform-images.ts';
import type { TarEntry } from '../../hack/images/tar.ts';
import type { Layout } from '../../hack/layout.ts';

const MIGRATIONS = 'api/src/platform/db/migrations';
const JOURNAL = `${MIGRATIONS}/meta/_journal.json`;
/** Its own version is that of BusyBox. */
const OURS = FIRST_IMAGES.filter((name) => name !== 'busybox');

export interface NextVersion {
  readonly version: string;
  /** SQL of the migration that it brings. */
  readonly migration: string;
  /** Those that it replaces; absent: all. */
  readonly images?: readonly PlatformImage[];
}

/** Resolves with the digests of what was pushed. */
export async function pushNextVersion(
  cluster: Layout,
  { version, migration, images = OURS }: NextVersion,
): Promise<Partial<Record<PlatformImage, string>>> {
  const digests: Partial<Record<PlatformImage, string>> = {};
  for (const name of images) {
    const { image } = await buildPlatformImage(name, cluster.dir);
    const folder = `${cluster.dir}/images/${name}-${version}.oci`;
    digests[name] = await writeOciLayout(folder, {
      ...image,
      layers: [...image.layers, layerOf(await overlayOf(name, version, migration))],
      labels: { ...image.labels, 'org.opencontainers.image.version': version },
    });
    await crane(cluster, ['push', folder, `${cluster.registry.address}/official/${name}:${version}`]);
  }
  return digests;
}

async function overlayOf(name: PlatformImage, version: string, migration: string): Promise<TarEntry[]> {
  if (name === 'operator') return [await manifestOf('package.json', version)];
  if (name !== 'gateway') return [{ path: 'next-version', content: version }];
  const journal: { entries: { idx: number; when: number; tag: string }[] } = JSON.parse(
    await readFile(JOURNAL, 'utf8'),
  );
  const newest = journal.entries.at(-1);
  const next = { ...newest, idx: (newest?.idx ?? 0) + 1, when: (newest?.when ?? 0) + 1, tag: `next_${version}` };
  return [
    await manifestOf('api/package.json', version),
    { path: `app/${MIGRATIONS}/${next.tag}.sql`, content: migration },
    { path: `app/${JOURNAL}`, content: JSON.stringify({ ...journal, entries: [...journal.entries, next] }) },
  ];
}

/** By which a program knows its version. */
async function manifestOf(path: string, version: string): Promise<TarEntry> {
  const manifest = JSON.parse(await readFile(path, 'utf8'));
  return { path: `app/${path}`, content: JSON.stringify({ ...manifest, version }) };
}

/** A field of organisations, in its chart. */
export const NEXT_FIELD = 'ofTheNextVersion';
const FIELDS = /^( +)spec:\n +type: object\n +properties:\n/m;

/** Its chart, in a folder below this one. */
export async function chartOf(folder: string, version: string): Promise<string> {
  const chart = await chartWithField(folder);
  await edit(join(chart, 'Chart.yaml'), (text) => text.replaceAll(/^(version|appVersion): .*$/gm, `$1: ${version}`));
  return chart;
}

/** The chart of this version, in a folder below this one, whose organisations may have a field more. */
export async function chartWithField(folder: string): Promise<string> {
  const chart = join(folder, 'chart-of-next');
  await cp(CHART, chart, { recursive: true, dereference: true });
  await edit(join(chart, 'files/crds/organizations.yaml'), (text) =>
    text.replace(FIELDS, (found, indent) => `${found}${indent}    ${NEXT_FIELD}:\n${indent}      type: string\n`),
  );
  return chart;
}

async function edit(file: string, change: (text: string) => string): Promise<void> {
  const text = await readFile(file, 'utf8');
  const changed = change(text);
  if (changed === text) throw new Error(`${file} has nothing to change`);
  await writeFile(file, changed);
}
