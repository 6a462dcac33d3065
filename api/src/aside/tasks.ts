// What threads can do. Bytes and plain values go in, and come out: no class survives the way, and a long list costs as much to copy
// as to make.
import { replay, valuesOf } from '../alerts/replay.ts';
import { readWhole } from '../completions/read-whole.ts';
import { redactedText } from '../models/collected/redact.ts';
import { type GgufFacts, readGguf } from '../models/formats/gguf.ts';
import type { Parsed } from '../models/formats/refusal.ts';
import { readSafetensors } from '../models/formats/safetensors.ts';
import { decodePast, decodeRange, type Range } from '../monitor/decode-answer.ts';
import { readLabels } from '../monitor/label-texts.ts';

export const TASKS = {
  safetensorsHeader: readSafetensors,
  /** Lists of metadata stay behind: nothing is read from them. */
  ggufHeader(head: Uint8Array, size: number): Parsed<GgufFacts> {
    const parsed = readGguf(head, size);
    if (!('metadata' in parsed)) return parsed;
    return { ...parsed, metadata: new Map([...parsed.metadata].filter(([, value]) => !Array.isArray(value))) };
  },
  rangeText: (bytes: Uint8Array, range: Range, mostSeries: number) =>
    decodeRange(bufferOf(bytes), range, mostSeries, readLabels),
  past: (bytes: Uint8Array, range: Range, mostSeries: number) =>
    decodePast(bufferOf(bytes), range, mostSeries, readLabels),
  readWhole,
  redactedText,
  replay,
  valuesOf,
} as const;

/** A buffer arrives as plain bytes. */
const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
