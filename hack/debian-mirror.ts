// Debian's apt on this machine, and the source that it knows: its own apt states it, so that one behind a mirror needs no other way out.
import { run } from './run.ts';

/** Apt refuses to work beside another apt: those of ours, in whichever process, wait for each other here. */
const LOCK = '/run/lock/gantry-apt';

/** On the machine's own lists and packages. Resolves with standard output. */
export const aptGet = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> =>
  run('flock', [LOCK, 'apt-get', '--option', 'DPkg::Lock::Timeout=300', ...args], { env });

let known: Promise<string> | undefined;

/** An archive's address, which has all of Debian's suites below `dists`. It is looked for once. */
export function debianMirror(): Promise<string> {
  known ??= lookUp().catch((error: unknown) => {
    known = undefined;
    throw error;
  });
  return known;
}

async function lookUp(): Promise<string> {
  // The lists say who made an archive; without them apt knows only where it is.
  await aptGet(['update', '-q']);
  const format = '$(ORIGIN)/$(LABEL) $(REPO_URI)';
  const archives = await run('apt-get', ['indextargets', '--format', format, 'Created-By: Packages']);
  const found = /^Debian\/Debian (\S+)$/m.exec(archives)?.[1];
  if (found === undefined) throw new Error('apt on this machine knows no archive of Debian');
  return found;
}
