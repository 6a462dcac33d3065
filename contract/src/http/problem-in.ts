// A problem as its reader reads it.
import type { Language } from '../fields/language.ts';
import { argsIn } from '../localized.ts';
import { type ProblemCode, problemSentence } from './problem.ts';

/** Arguments that are sentences are in the reader's language too. */
export const problemIn = (language: Language, code: ProblemCode, args: Readonly<Record<string, unknown>>): string =>
  problemSentence(code, language, argsIn(language, args));
