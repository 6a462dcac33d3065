// A PNG that staff gave, as visitors' browsers get it: its picture alone. Texts, positions and whatever follows its end are left out.

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** A palette and what is transparent are parts of the picture. */
const KEPT = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);
/** Length and type before a chunk's data, and the sum behind them. */
const [BEFORE, BEHIND] = [8, 4];

/** Undefined for whatever is no PNG, or has more pixels than `mostPixels` on a side: a small file can hold a huge picture. */
export function picturePng(bytes: Buffer, mostPixels: number): Buffer | undefined {
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return undefined;
  const kept: Buffer[] = [SIGNATURE];
  const types: string[] = [];
  let at = SIGNATURE.length;
  while (at + BEFORE + BEHIND <= bytes.length) {
    const end = at + BEFORE + bytes.readUInt32BE(at) + BEHIND;
    const type = bytes.toString('latin1', at + 4, at + BEFORE);
    if (end > bytes.length) return undefined;
    if (KEPT.has(type)) {
      kept.push(bytes.subarray(at, end));
      types.push(type);
    }
    at = end;
    if (type === 'IEND') break;
  }
  if (types[0] !== 'IHDR' || !types.includes('IDAT') || types.at(-1) !== 'IEND') return undefined;
  const header = kept[1] as Buffer;
  if (header.length !== BEFORE + 13 + BEHIND) return undefined;
  const sides = [header.readUInt32BE(BEFORE), header.readUInt32BE(BEFORE + 4)];
  return sides.every((side) => side > 0 && side <= mostPixels) ? Buffer.concat(kept) : undefined;
}
