// What a data task's worker says, as views show it.
import { GAP, sentence, type Words } from '../define-kind.ts';
import type { Language } from '../fields/language.ts';
import { oneOf } from '../fields/stored.ts';
import type { WorkerProblem } from './data-task-schema.ts';

const MOST_WORKERS_WORDS = 300;

/** In our words where they are complete, else in the worker's. */
export function problemSaid(
  known: Readonly<Record<string, Words>>,
  { code, sentence: own, args }: WorkerProblem,
  language: Language,
): string {
  const detail = workersWords(own);
  const words = oneOf<Words | undefined>(known, code, undefined);
  const values = { ...args, detail };
  const isWhole = words && [...words.en.matchAll(GAP)].every(([, name = '']) => Object.hasOwn(values, name));
  return words && isWhole ? sentence(words, language, values) : detail;
}

/** Its worker's own words, short and without markup: they come from a Pod of the tenant's. */
export const workersWords = (text: string): string =>
  text
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MOST_WORKERS_WORDS);
