// People as somebody pastes them: from a mail program, a table, or a list.

/** Names and addresses, each once; `Ada Lovelace <ada@example.com>` is its address. */
export function peopleIn(text: string): string[] {
  const found = text.split(/[\n\r,;、，；]+/).flatMap((part) => {
    const address = /<([^<>\s]+)>/.exec(part);
    return address ? [address[1] ?? ''] : part.split(/\s+/);
  });
  const kept = new Map<string, string>();
  for (const each of found.map((name) => name.replace(/^["']+|["'.]+$/g, ''))) {
    if (each !== '' && !kept.has(each.toLowerCase())) kept.set(each.toLowerCase(), each);
  }
  return [...kept.values()];
}

/** In portions of so many as one call takes. */
export function portionsOf<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
