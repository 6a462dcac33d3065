/** The bytes are no table of ours: broken, or made to harm. The message completes "The table cannot be read: …". */
export class BrokenTable extends Error {
  override readonly name = 'BrokenTable';
}

export function demand(isSound: boolean, detail: string): asserts isSound {
  if (!isSound) throw new BrokenTable(detail);
}
