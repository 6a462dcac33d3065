// The facets by which models are filtered. They stand apart from the schemas, which weigh more than a page.
import type { ProblemCode } from '../../http/problem.ts';

export const MODEL_FACETS = ['license', 'structure', 'language', 'tag', 'quantisation', 'format'] as const;
export type ModelFacet = (typeof MODEL_FACETS)[number];
/** A file arrives in pieces of exactly this size; the last is what is left. */
export const PIECE_BYTES = 16 * 1024 * 1024;
/** How a piece or a download ends that holds a place which others need. */
export const TRANSFER_ENDS = ['transfer_too_slow', 'transfer_gave_way'] as const satisfies ProblemCode[];
