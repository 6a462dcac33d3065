// An image as one file, in the form that `crane push` and `ctr images import` both read: no Docker, no registry, and
// the same digest for the same contents.
import { createHash } from 'node:crypto';
import { type TarEntry, tar } from './tar.ts';

export interface ImageSpec {
  readonly files: readonly TarEntry[];
  readonly entrypoint?: readonly string[];
  readonly cmd?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly workingDir?: string;
  readonly user?: string;
  /** The signal that asks its program to end; SIGTERM when absent. */
  readonly stopSignal?: string;
}

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest('hex');

/** `reference` is the name that an import gives the image. */
export function imageArchive(reference: string, spec: ImageSpec): Buffer {
  const layer = tar(spec.files);
  const config = JSON.stringify({
    architecture: 'amd64',
    os: 'linux',
    created: '1970-01-01T00:00:00Z',
    config: {
      Env: Object.entries({ PATH, ...spec.env }).map(([name, value]) => `${name}=${value}`),
      Entrypoint: spec.entrypoint,
      Cmd: spec.cmd,
      WorkingDir: spec.workingDir ?? '/',
      User: spec.user,
      StopSignal: spec.stopSignal,
    },
    rootfs: { type: 'layers', diff_ids: [`sha256:${sha256(layer)}`] },
    history: [{ created: '1970-01-01T00:00:00Z', created_by: 'gantry' }],
  });
  const configName = `${sha256(config)}.json`;
  return tar([
    { path: configName, content: config },
    { path: 'layer.tar', content: layer },
    {
      path: 'manifest.json',
      content: JSON.stringify([{ Config: configName, RepoTags: [reference], Layers: ['layer.tar'] }]),
    },
  ]);
}
