// A whole answer of an engine, however large, as its client gets it. What is in it is hostile. Pure.
import type { Asked } from './asked.ts';
import type { ReadAnswer } from './count-tokens.ts';
import { Reading } from './reading.ts';
import { type ShapeFacts, shapeOf } from './shapes.ts';

export interface WholeParts {
  asked: Asked;
  facts: ShapeFacts;
  mostOfChoice: number;
}

interface ReadWhole extends Pick<ReadAnswer, 'choices' | 'total'> {
  /** The JSON that the client gets. */
  bytes: Uint8Array<ArrayBuffer>;
}

/** The parts of a request that shape its answer. The embedded input is large, and in no answer. */
export const shaping = (asked: Asked): Asked => ({
  ...asked,
  body: { ...asked.body, input: undefined },
  sent: { ...asked.sent, body: {} },
});

/** Undefined: it is no JSON object, or nests too deep. */
export function readWhole(
  blocks: readonly Uint8Array[],
  { asked, facts, mostOfChoice }: WholeParts,
): ReadWhole | undefined {
  const counted = () => ({ prompt: 0, cached: 0, completion: 0 });
  const reading = new Reading({ asked, shape: shapeOf(asked, facts), counted, mostOfChoice });
  try {
    const answer = reading.whole(Buffer.concat(blocks).toString('utf8'));
    if (!answer) return undefined;
    const { choices, total } = reading;
    return { choices, total, bytes: new TextEncoder().encode(JSON.stringify(answer)) };
  } catch {
    return undefined;
  }
}
