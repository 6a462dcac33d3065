// Words of react-admin's own components, and the labels of our tables under the keys where it looks for them.
import type { Language } from '@gantry/contract/fields/language.ts';
import type { Words } from '@gantry/ui/i18n/words.ts';
import polyglotI18nProvider from 'ra-i18n-polyglot';
import type { I18nProvider, TranslationMessages } from 'react-admin';
import { labelOf, resourceWords } from '../table-words.ts';
import { resourceOf, TABLE_NAMES, tableOf } from '../tables.ts';

const PACKS: Readonly<Record<Language, () => Promise<{ default: TranslationMessages }>>> = {
  en: () => import('ra-language-english'),
  zh: () => import('./react-admin-chinese.ts').then(({ chinese }) => ({ default: chinese })),
  ja: () => import('@bicstone/ra-language-japanese'),
};

export const loadPack = async (language: Language): Promise<TranslationMessages> => (await PACKS[language]()).default;

/** The language is the page's: another one reloads it. */
export function adminI18n(words: Words, pack: TranslationMessages): I18nProvider {
  const resources = Object.fromEntries(
    TABLE_NAMES.map((name) => {
      const { one, many } = resourceWords(words, name);
      const fields = Object.fromEntries(
        Object.keys({ ...tableOf(name).fields, ...tableOf(name).filters }).map((field) => [
          field,
          labelOf(words, name, field),
        ]),
      );
      return [resourceOf(name), { name: words.language === 'en' ? `${one} |||| ${many}` : one, fields }];
    }),
  );
  const messages = { ...pack, resources } as unknown as TranslationMessages;
  return polyglotI18nProvider(() => messages, words.language, [], {
    allowMissing: true,
    onMissingKey: (key: string) => key,
  });
}
