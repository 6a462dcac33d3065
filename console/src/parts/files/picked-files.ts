// Dropped or chosen files with paths below their destination folder, and the folders they are in.

export interface PickedFile {
  /** Such as `photos/2026/a.jpg`. */
  readonly path: string;
  readonly file: File;
}

export interface Picked {
  /** Parents come first. Includes empty ones if they were dropped. */
  readonly folders: readonly string[];
  readonly files: readonly PickedFile[];
}

export function pickedBy(list: Iterable<File>): Picked {
  const files = [...list].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
  return { folders: foldersOf(files.map(({ path }) => path)), files };
}

/** Also reads dropped folders. Call it while the drop is handled: the data are gone afterwards. */
export async function droppedBy(transfer: DataTransfer): Promise<Picked> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => entry != null);
  if (entries.length === 0) return pickedBy(transfer.files);
  const files: PickedFile[] = [];
  const folders: string[] = [];
  for (const entry of entries) await walk(entry, '', files, folders);
  return { folders: [...new Set([...foldersOf(files.map(({ path }) => path)), ...folders])].sort(byDepth), files };
}

async function walk(entry: FileSystemEntry, above: string, files: PickedFile[], folders: string[]): Promise<void> {
  const path = `${above}${entry.name}`;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    files.push({ path, file });
    return;
  }
  folders.push(path);
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  // A reader yields a hundred at a time, and none at the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return;
    for (const each of some) await walk(each, `${path}/`, files, folders);
  }
}

/** Every folder that these paths name, those above first. */
export function foldersOf(paths: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    const names = path.split('/');
    for (let depth = 1; depth < names.length; depth++) folders.add(names.slice(0, depth).join('/'));
  }
  return [...folders].sort(byDepth);
}

const byDepth = (a: string, b: string): number => a.split('/').length - b.split('/').length || (a < b ? -1 : 1);
