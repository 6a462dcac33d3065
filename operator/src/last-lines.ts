// The last lines that a failed program wrote, as a part of a sentence. The program is a tenant's: whatever it wrote, this is one
// short line that hides, reorders and colours nothing.
import { MOST_LAST_LINES } from '@gantry/contract/fields/runs.ts';

const MOST_LINES = 3;
const BREAK = ' ⏎ ';
/** Our own SSH server writes to the same log, and so does what runs data tasks. */
const OURS = ['agent ssh: ', 'agent task: the gateway is served at '];

/** Sequences by which terminals colour text and move the cursor (ECMA-48). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with one
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])/g;
/** Control and format characters, directions and joiners among them, private ones, and halves of surrogates. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu;

/** At most three lines and MOST_LAST_LINES letters; empty where there is nothing to read. */
export function lastLines(text: string): string {
  const lines = text
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line) => line.replace(ESCAPES, '').replaceAll('\t', ' ').replace(HIDDEN, '').trim())
    .filter((line) => line !== '' && !OURS.some((ours) => line.startsWith(ours)))
    .slice(-MOST_LINES);
  const whole = lines.join(BREAK);
  if (whole.length <= MOST_LAST_LINES) return whole;
  // Half a surrogate pair cannot be written.
  return `…${whole.slice(1 - MOST_LAST_LINES).replace(/^[\udc00-\udfff]/, '')}`;
}
