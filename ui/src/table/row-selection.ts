// Which rows are selected, after a click. Pure.

/** One row more or less; with `anchor` all from there to the row get what the row gets. `ids` are in the order of the list. */
export function toggled(
  selected: ReadonlySet<string>,
  ids: readonly string[],
  id: string,
  anchor?: string,
): ReadonlySet<string> {
  const next = new Set(selected);
  const isOn = !selected.has(id);
  const [from, to] = [ids.indexOf(anchor ?? id), ids.indexOf(id)];
  const range = from === -1 || to === -1 ? [id] : ids.slice(Math.min(from, to), Math.max(from, to) + 1);
  for (const each of range) {
    if (isOn) next.add(each);
    else next.delete(each);
  }
  return next;
}

/**
 * Removes rows that are no longer in the list: an action must not affect invisible rows. Returns the same set if all are there.
 */
export function stillThere(selected: ReadonlySet<string>, ids: readonly string[]): ReadonlySet<string> {
  const kept = ids.filter((id) => selected.has(id));
  return kept.length === selected.size ? selected : new Set(kept);
}
