// A cluster that runs already: the current context, copied so that a later change of context changes nothing here.
import { binary } from './binaries.ts';
import type { Layout } from './layout.ts';
import { run } from './run.ts';
import { writeChanged } from './write-changed.ts';

export async function copyCurrentContext({ kubeconfig }: Layout): Promise<void> {
  const kubectl = await binary('kubectl');
  await run(kubectl, ['get', '--raw', '/readyz']);
  await writeChanged(kubeconfig, await run(kubectl, ['config', 'view', '--raw', '--minify', '--flatten']), 0o600);
}
