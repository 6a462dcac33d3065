// Words of react-admin's own components, and the labels of our tables under the keys where it looks for them.
import type { Language } from '@gantry/contract/fields/language.ts';
import type { Words } from '@gantry/ui/i18n/words.ts';
import polyglotI18nProvider from 'ra-i18n-polyglot';
import type { I18nProvider, TranslationMessages } from 'react-admin';
import { labelOf, resourceWords } from '../table-words.ts';
import { resourceOf, TABLE_NAMES, tableOf } from '../tables.ts';

type Pack = { default: TranslationMessages };

/** The Japanese package is CommonJS: what it exports by default is one level deeper in a browser's build. */
const unwrapped = ({ default: pack }: { default: TranslationMessages | Pack }): TranslationMessages =>
  'ra' in pack ? (pack as TranslationMessages) : (pack as Pack).default;

const PACKS: Readonly<Record<Language, () => Promise<TranslationMessages>>> = {
  en: () => import('ra-language-english').then(unwrapped),
  zh: () => import('./react-admin-chinese.ts').then(({ chinese }) => chinese),
  ja: () =>
    import('@bicstone/ra-language-japanese').then(unwrapped).then(({ ra }) => ({
      // The package is older than this sentence.
      ra: { ...ra, validation: { ...ra.validation, unique: '重複しない値にしてください' } },
    })),
};

export const loadPack = (language: Language): Promise<TranslationMessages> => PACKS[language]();

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
