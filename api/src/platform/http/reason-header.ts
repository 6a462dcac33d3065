// A DELETE has no body: why is a header, percent-encoded unless it is ASCII.
import { problem } from '@gantry/contract/http/problem.ts';

const MOST_LETTERS = 1000;

/** Throws reason_needed. */
export function reasonIn(header: string | string[] | undefined): string {
  const text = decoded(`${header ?? ''}`)
    .trim()
    .slice(0, MOST_LETTERS);
  if (text === '') throw problem('reason_needed', {}, { field: 'X-Reason' });
  return text;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
