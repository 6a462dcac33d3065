// Answers of Prometheus, read on a thread. A buffer arrives there as plain bytes.
import { decodePast, decodeRange, type Range } from './decode-answer.ts';
import { readLabels } from './label-texts.ts';

export const rangeText = (bytes: Uint8Array, range: Range, mostSeries: number) =>
  decodeRange(bufferOf(bytes), range, mostSeries, readLabels);

export const past = (bytes: Uint8Array, range: Range, mostSeries: number) =>
  decodePast(bufferOf(bytes), range, mostSeries, readLabels);

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
