// A JSON body, within its limits: size before it is held, depth before it is parsed.
import type { IncomingMessage } from 'node:http';
import { problem } from '@gantry/contract/http/problem.ts';

export const MOST_BODY_BYTES = 256 * 1024;
const MOST_DEPTH = 32;

/** Gives the parsed body; undefined for an empty one. Throws too_large, wrong_media_type, nested_too_deep, malformed_json. */
export async function readJsonBody(req: IncomingMessage, most = MOST_BODY_BYTES): Promise<unknown> {
  if (Number(req.headers['content-length'] ?? 0) > most) throw problem('too_large', { most });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most) throw problem('too_large', { most });
    chunks.push(chunk);
  }
  if (size === 0) return undefined;
  const type = req.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw problem('wrong_media_type', { wanted: 'application/json' });
  const text = Buffer.concat(chunks).toString('utf8');
  if (depthOf(text) > MOST_DEPTH) throw problem('nested_too_deep', { most: MOST_DEPTH });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw problem('malformed_json', { detail: (error as Error).message });
  }
}

/** How deep brackets nest outside of strings. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (inString) {
      if (c === '\\') i++;
      else if (c === '"') inString = false;
    } else if (c === '"') inString = true;
    else if (c === '{' || c === '[') deepest = Math.max(deepest, ++depth);
    else if (c === '}' || c === ']') depth--;
  }
  return deepest;
}
