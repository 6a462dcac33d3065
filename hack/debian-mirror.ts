// The source of Debian on this machine: its own apt states it, so that one behind a mirror needs no other way out.
import { run } from './run.ts';

/** An archive's address, which has all of Debian's suites below `dists`. */
export async function debianMirror(): Promise<string> {
  // The lists say who made an archive; without them apt knows only where it is.
  await run('apt-get', ['update', '-q']);
  const format = '$(ORIGIN)/$(LABEL) $(REPO_URI)';
  const archives = await run('apt-get', ['indextargets', '--format', format, 'Created-By: Packages']);
  const found = /^Debian\/Debian (\S+)$/m.exec(archives)?.[1];
  if (found === undefined) throw new Error('apt on this machine knows no archive of Debian');
  return found;
}
