// The reader's language: their choice here, otherwise their browser's, otherwise English.
import type { Language } from '@gantry/contract/fields/language.ts';

const KEY = 'gantry_language';

export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', zh: '简体中文', ja: '日本語' };
/** For `Intl` and the `lang` of the page. */
export const LOCALES: Readonly<Record<Language, string>> = { en: 'en', zh: 'zh-CN', ja: 'ja' };

const isLanguage = (text: string): text is Language => Object.hasOwn(LANGUAGE_NAMES, text);

/** The first of `wanted` that the product speaks; `en-GB` is English. */
export function languageOf(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const language = tag.toLowerCase().split('-')[0] ?? '';
    if (isLanguage(language)) return language;
  }
  return 'en';
}

export function readLanguage(): Language {
  const chosen = localStorage.getItem(KEY);
  return languageOf([...(chosen === null ? [] : [chosen]), ...navigator.languages]);
}

/** Stored on this machine; reloads the page, because every sentence of it changes. */
export function changeLanguage(language: Language): void {
  localStorage.setItem(KEY, language);
  location.reload();
}
