// A cluster that runs already: the current context, copied so that a later change of context changes nothing here.
import { binary } from './binaries.ts';
import type { Layout } from './layout.ts';
import { Refused } from './refused.ts';
import { run } from './run.ts';
import { writeChanged } from './write-changed.ts';

/** Step. The nodes do not know our registry: the cluster's owner names images that they can pull. */
export async function requireImages(): Promise<void> {
  const missing = Object.entries({
    GANTRY_AGENT_IMAGE: "the agent's image",
    GANTRY_PROBE_IMAGE: 'an image with sh and nc',
  }).filter(([name]) => !process.env[name]);
  if (missing.length === 0) return;
  const wanted = missing.map(([name, what]) => `${name} (${what})`).join(' and ');
  throw new Refused(`set ${wanted}: this cluster's nodes cannot pull from our registry`);
}

export async function copyCurrentContext({ kubeconfig }: Layout): Promise<void> {
  const kubectl = await binary('kubectl');
  await run(kubectl, ['get', '--raw', '/readyz']);
  await writeChanged(kubeconfig, await run(kubectl, ['config', 'view', '--raw', '--minify', '--flatten']), 0o600);
}
