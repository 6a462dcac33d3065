/** The name of a kind's files: `gpu-host` for gpuHost. */
const fileOf = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Each kind's contribution from its own file, by its key. */
export async function ofEachKind<Key extends string, T>(
  kinds: Readonly<Record<Key, unknown>>,
  load: (file: string) => Promise<T>,
): Promise<Readonly<Record<Key, T>>> {
  const loaded = Object.keys(kinds).map(async (key) => [key, await load(fileOf(key))]);
  return Object.fromEntries(await Promise.all(loaded));
}
