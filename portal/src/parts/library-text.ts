// Numbers and languages of models and datasets as people read them. Only the server renders them.
import type { Language } from '@gantry/contract/fields/language.ts';
import { LOCALES } from '@gantry/ui/i18n/language.ts';

/** Of a facet: its code where the language has no name for it. */
export function languageName(code: string, language: Language): string {
  try {
    return new Intl.DisplayNames(LOCALES[language], { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** Of parameters: 8B, 80亿. */
export const shortNumber = (value: number, language: Language): string =>
  value.toLocaleString(LOCALES[language], { notation: 'compact', maximumFractionDigits: 1 });

const MOST_CELL = 200;

/** A cell of a table as one text: what is no text is its JSON. */
export function cellText(cell: unknown): string {
  const text = cell === null || cell === undefined ? '–' : typeof cell === 'string' ? cell : JSON.stringify(cell);
  return text.length > MOST_CELL ? `${[...text.slice(0, MOST_CELL)].slice(0, -1).join('')}…` : text;
}
