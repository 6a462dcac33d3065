// Free text that people write and others read: no characters that hide, reorder or imitate, and none that SQL cannot store.
import * as z from 'zod';
import { cel } from '../define-kind.ts';
import { RULE_WORDS } from '../rule-words.ts';

/** Control and format characters (the directions and joiners among them), private ones, and halves of surrogates. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/u;
/** In texts of several lines. */
const BREAKS = /[\t\n\r]/g;

/** Whether each character of it can be seen, or moves none of the others. */
export const hidesNothing = (text: string): boolean => !HIDDEN.test(text);

/** NFKC: a letter that only looks like another in a narrower or wider form is not taken. */
const isPlain = (text: string): boolean => hidesNothing(text) && text === text.normalize('NFKC');

/** macOS writes a letter and its accents apart (NFD); four times the length holds any letter of a name in that form. */
const APART = 4;

/** One line, not empty, without spaces around it, in composed form (NFC), whichever form the sender chose. */
export const plainText = (most: number) =>
  z
    .string()
    .max(APART * most, { abort: true })
    .normalize('NFC')
    .min(1)
    .max(most)
    .refine((text) => isPlain(text) && text === text.trim(), 'plain_text');

/** Several lines, or none. Punctuation of East Asia has narrow twins, so only what hides is refused. */
export const plainLines = (most: number) =>
  z
    .string()
    .max(most)
    .refine((text) => hidesNothing(text.replace(BREAKS, '')), 'plain_text');

/** The part of `plainText` that a CRD can express: CEL has no NFKC. The API server stores no lone surrogates. */
export const plainTextRule = cel([
  "!self.matches('[\\\\p{Cc}\\\\p{Cf}\\\\p{Co}\\\\x{2028}\\\\x{2029}]')",
  RULE_WORDS.plainText,
]);

/** And of `plainLines`. */
export const plainLinesRule = cel([
  "!self.matches('[\\\\x00-\\\\x08\\\\x0b\\\\x0c\\\\x0e-\\\\x1f\\\\x7f-\\\\x{9f}\\\\p{Cf}\\\\p{Co}\\\\x{2028}\\\\x{2029}]')",
  RULE_WORDS.plainText,
]);
