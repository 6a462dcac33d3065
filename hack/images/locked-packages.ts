// Which npm packages a workspace needs to run, by the lock file: what `npm ci --omit=dev` would install, without installing it.

export interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  /** A workspace: `resolved` is its folder. */
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  /** npm installs them too, unless they are optional. */
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** By the folder of each, from the root: `node_modules/zod`, `api`. */
export type LockedPackages = Readonly<Record<string, LockedPackage>>;

/** The folders of the workspaces themselves and of everything that they need, sorted. Links to workspaces are followed, and named too. */
export function neededBy(workspaces: readonly string[], packages: LockedPackages): string[] {
  const needed = new Set<string>();
  const look = (folder: string): void => {
    if (needed.has(folder)) return;
    needed.add(folder);
    const found = packages[folder];
    if (found === undefined) throw new Error(`package-lock.json has no ${folder}`);
    if (found.link) look(found.resolved ?? '');
    const peers = Object.keys(found.peerDependencies ?? {}).filter(
      (name) => !found.peerDependenciesMeta?.[name]?.optional,
    );
    for (const name of [...Object.keys(found.dependencies ?? {}), ...peers]) look(folderOf(name, folder, packages));
    for (const name of Object.keys(found.optionalDependencies ?? {})) {
      const optional = findFolder(name, folder, packages);
      if (optional !== undefined) look(optional);
    }
  };
  for (const workspace of workspaces) look(workspace);
  return [...needed].toSorted();
}

function folderOf(name: string, from: string, packages: LockedPackages): string {
  const found = findFolder(name, from, packages);
  if (found === undefined) throw new Error(`package-lock.json has no ${name}, which ${from} depends on`);
  return found;
}

/** As Node looks for it: beside the package that asks, then in each folder above. */
function findFolder(name: string, from: string, packages: LockedPackages): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const candidate = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (candidate in packages) return candidate;
    if (folder === '') return undefined;
  }
}
