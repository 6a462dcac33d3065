// Reading what a stored object may say although its schema does not: an older schema admitted it.
import type { Words } from '../define-kind.ts';
import type { Language } from './language.ts';

/** Those members of a list that are objects; none of what is not a list. */
export const listOf = <T extends object>(value: readonly T[] | undefined): readonly T[] =>
  Array.isArray(value) ? value.filter((one): one is T => typeof one === 'object' && one !== null) : [];

/** The words of one of the known values; of another value the value itself. */
export const wordOf = (words: Readonly<Record<string, Words>>, value: string, language: Language): string =>
  (Object.hasOwn(words, value) ? words[value]?.[language] : undefined) ?? `${value}`;

/** The entry of a known value; `otherwise` for any other. */
export const oneOf = <T>(known: Readonly<Record<string, T>>, value: string, otherwise: T): T =>
  (Object.hasOwn(known, value) ? known[value] : undefined) ?? otherwise;
