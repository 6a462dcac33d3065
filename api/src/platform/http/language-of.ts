// The language of an answer: what the client asks for, else what the person has chosen, else English.
import { LANGUAGES, type Language } from '@gantry/contract/fields/language.ts';

/** The supported language that Accept-Language gives the highest weight; earlier ones win a tie. */
export function languageOf(acceptLanguage: string | undefined, chosen?: Language): Language {
  if (acceptLanguage === undefined) return chosen ?? 'en';
  let best: { language: Language; weight: number } | undefined;
  for (const part of acceptLanguage.slice(0, 1024).split(',')) {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim());
    const language = LANGUAGES.find((each) => each === range.toLowerCase().split('-')[0]);
    const weight = Number(parameters.find((text) => text.startsWith('q='))?.slice(2) ?? 1);
    if (language && weight > (best?.weight ?? 0)) best = { language, weight };
  }
  return best?.language ?? chosen ?? 'en';
}
