// An image as a folder in the OCI image layout, which `crane push` reads: layers that several images share are packed once, and the
// same contents give the same digest on any day. A time would change it, so there is none.
import { createHash } from 'node:crypto';
import { copyFile, link, mkdir, rm, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { type TarEntry, tar } from './tar.ts';

export interface OciImage {
  readonly layers: readonly (Layer | LayerFile)[];
  readonly entrypoint?: readonly string[];
  readonly cmd?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly workingDir?: string;
  readonly user?: string;
  /** `org.opencontainers.image.…`, in the configuration and the manifest alike. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** A packed layer, and the digest of what is in it. */
export interface Layer {
  readonly packed: Buffer;
  readonly diffId: string;
}

/** A layer that is too large to be in memory, packed by zstd. */
export interface LayerFile {
  /** Its path. */
  readonly file: string;
  readonly bytes: number;
  readonly digest: string;
  /** Of what is in it. */
  readonly diffId: string;
}

/** Packed, in bytes. */
export const bytesOf = (layer: Layer | LayerFile): number => ('file' in layer ? layer.bytes : layer.packed.length);

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const LAYER = 'application/vnd.oci.image.layer.v1.tar';
const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
/** A smaller layer is not worth three times the time. */
const LEVEL = 6;

const digestOf = (data: Buffer): string => `sha256:${createHash('sha256').update(data).digest('hex')}`;

/** Sorted by path, so that the order in which files were found does not matter; folders come before what is in them. */
export function layerOf(files: readonly TarEntry[]): Layer {
  const archive = tar(files.toSorted((a, b) => (a.path < b.path ? -1 : 1)));
  return { packed: gzipSync(archive, { level: LEVEL }), diffId: digestOf(archive) };
}

/** Writes the layout into `folder`, anew, and resolves with the image's digest. */
export async function writeOciLayout(folder: string, image: OciImage): Promise<string> {
  const blobs = `${folder}/blobs/sha256`;
  await rm(folder, { recursive: true, force: true });
  await mkdir(blobs, { recursive: true });
  const write = async (mediaType: string, data: Buffer) => {
    const digest = digestOf(data);
    await writeFile(`${blobs}/${digest.slice('sha256:'.length)}`, data);
    return { mediaType, digest, size: data.length };
  };
  const writeLayer = async (layer: Layer | LayerFile) => {
    if (!('file' in layer)) return write(`${LAYER}+gzip`, layer.packed);
    const { file, digest, bytes } = layer;
    const path = `${blobs}/${digest.slice('sha256:'.length)}`;
    // Another file system has no link to it.
    await link(file, path).catch(() => copyFile(file, path));
    return { mediaType: `${LAYER}+zstd`, digest, size: bytes };
  };
  const writeJson = (mediaType: string, data: object) => write(mediaType, Buffer.from(JSON.stringify(data)));
  const manifest = await writeJson(MANIFEST, {
    schemaVersion: 2,
    mediaType: MANIFEST,
    config: await writeJson('application/vnd.oci.image.config.v1+json', configOf(image)),
    layers: await Promise.all(image.layers.map(writeLayer)),
    annotations: image.labels,
  });
  await writeFile(`${folder}/oci-layout`, JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  await writeFile(`${folder}/index.json`, JSON.stringify({ schemaVersion: 2, manifests: [manifest] }));
  return manifest.digest;
}

const configOf = ({ layers, entrypoint, cmd, env, workingDir = '/', user, labels }: OciImage) => ({
  architecture: 'amd64',
  os: 'linux',
  config: {
    Env: Object.entries({ PATH, ...env }).map(([name, value]) => `${name}=${value}`),
    Entrypoint: entrypoint,
    Cmd: cmd,
    WorkingDir: workingDir,
    User: user,
    Labels: labels,
  },
  rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
  history: layers.map(() => ({ created_by: 'gantry' })),
});
