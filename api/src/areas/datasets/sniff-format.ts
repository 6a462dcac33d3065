// What a file is, by its first bytes; its name decides only between texts that look alike.
import type { DatasetFormat } from '@gantry/contract/areas/datasets/datasets.ts';

/** How much of a file is looked at. */
export const SNIFFED = 4096;

const ascii = (head: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...head.subarray(from, Math.min(to, head.length)));

/** By what stands at a place. */
const MAGIC: readonly (readonly [at: number, bytes: string, format: DatasetFormat])[] = [
  [0, 'PAR1', 'parquet'],
  [0, '%PDF-', 'pdf'],
  [0, '\x89PNG', 'image'],
  [0, '\xff\xd8\xff', 'image'],
  [0, 'GIF8', 'image'],
  [8, 'WEBP', 'image'],
  [8, 'WAVE', 'audio'],
  [0, 'fLaC', 'audio'],
  [0, 'OggS', 'audio'],
  [0, 'ID3', 'audio'],
  [0, '\xff\xfb', 'audio'],
];

const TEXTS: readonly (readonly [name: RegExp, format: DatasetFormat])[] = [
  [/\.tsv$/i, 'tsv'],
  [/\.csv$/i, 'csv'],
  [/\.(md|markdown)$/i, 'markdown'],
];

export function sniffFormat(path: string, head: Uint8Array): DatasetFormat {
  const magic = MAGIC.find(([at, bytes]) => ascii(head, at, at + bytes.length) === bytes);
  if (magic) return magic[2];
  if (ascii(head, 0, 4) === 'PK\x03\x04') return /\.docx$/i.test(path) ? 'docx' : 'other';
  const text = textOf(head);
  if (text === undefined) return 'other';
  const named = TEXTS.find(([name]) => name.test(path));
  return named ? named[1] : jsonFormat(text, head.length < SNIFFED);
}

/** Undefined where it is not UTF-8. The last character may be cut. */
function textOf(head: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** A first line that is a whole object begins JSON Lines, unless it is all there is in a larger one. */
function jsonFormat(text: string, isWhole: boolean): DatasetFormat {
  const begun = text.trimStart();
  if (!begun.startsWith('{') && !begun.startsWith('[')) return 'text';
  const [line = '', ...rest] = begun.split('\n');
  if (begun.startsWith('[')) return 'json';
  if (isObject(line)) return 'jsonl';
  // A row longer than what is looked at has no end here: a value over several lines has.
  return rest.length > 0 || isWhole ? 'json' : 'jsonl';
}

function isObject(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

/** The format of a version: that of its files, if all have the same. */
export function commonFormat(formats: readonly DatasetFormat[]): DatasetFormat {
  const [first = 'other', ...others] = new Set(formats);
  return others.length === 0 ? first : 'mixed';
}
