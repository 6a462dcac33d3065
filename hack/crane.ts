// crane against a cluster's registry, as the platform: it may push everything.
import { binary } from './binaries.ts';
import type { Layout } from './layout.ts';
import { run } from './run.ts';

/** Resolves with standard output. `login` is a folder with a Docker config.json, for callers other than the platform. */
export async function crane(
  cluster: Layout,
  [command = '', ...args]: readonly string[],
  login = platformLogin(cluster),
): Promise<string> {
  return run(await binary('crane'), [command, '--insecure', ...args], { env: { DOCKER_CONFIG: login } });
}

/** For DOCKER_CONFIG. */
export const platformLogin = ({ registry }: Layout): string => `${registry.secretsDir}/login`;
