// The image registry (distribution), on the bridge: nodes call it registry.gantry.internal, the host by its address.
import { mkdir } from 'node:fs/promises';
import { binary } from './binaries.ts';
import { answersOk } from './control-plane.ts';
import type { Layout } from './layout.ts';
import { startProcess, waitReady } from './process.ts';
import { writeChanged } from './write-changed.ts';

export async function startRegistry(cluster: Layout): Promise<void> {
  const { address, dir } = cluster.registry;
  await mkdir(dir, { recursive: true });
  const config = `${cluster.dir}/registry.json`;
  await writeChanged(
    config,
    JSON.stringify({
      version: '0.1',
      log: { level: 'warn', accesslog: { disabled: true } },
      storage: { filesystem: { rootdirectory: dir }, delete: { enabled: true } },
      http: { addr: address },
    }),
  );
  await startProcess(cluster, {
    name: 'registry',
    command: [await binary('registry'), 'serve', config],
    env: { OTEL_TRACES_EXPORTER: 'none' },
  });
  await waitReady(cluster, 'registry', () => answersOk(`http://${address}/v2/`));
}
