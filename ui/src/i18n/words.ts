// Phrases in the format of node-polyglot, which react-admin has too: nested objects, `%{name}`, `one |||| many`. Each area has its
// own, so that a page loads the words it shows and no others.
import type { Language } from '@gantry/contract/fields/language.ts';
import Polyglot from 'node-polyglot';
import { LOCALES } from './language.ts';

export interface Phrases {
  readonly [key: string]: string | Phrases;
}

/** The shape of another language's words: the same keys. */
export type Shape<W> = { readonly [K in keyof W]: W[K] extends string ? string : Shape<W[K]> };

/** `title`, `create.title`, … */
export type KeyOf<W> = {
  [K in keyof W & string]: W[K] extends string ? K : `${K}.${KeyOf<W[K]>}`;
}[keyof W & string];

export type PhraseArgs = Readonly<Record<string, string | number>> & { readonly smart_count?: number };
export type Translate<W> = (key: KeyOf<W>, args?: PhraseArgs) => string;

export class Words {
  readonly language: Language;
  readonly #polyglot: Polyglot;
  readonly #known = new Map<string, (key: string, args?: PhraseArgs) => string>();

  constructor(language: Language) {
    this.language = language;
    this.#polyglot = new Polyglot({ locale: LOCALES[language], allowMissing: false, onMissingKey: (key) => key });
  }

  add(area: string, phrases: Phrases): void {
    this.#polyglot.extend(phrases, area);
    this.#known.set(area, (key, args) => this.#polyglot.t(`${area}.${key}`, args));
  }

  has(area: string): boolean {
    return this.#known.has(area);
  }

  /** A phrase whose key is data, such as a field's name; undefined where there is none. */
  find(area: string, key: string): string | undefined {
    const path = `${area}.${key}`;
    return this.#polyglot.has(path) ? this.#polyglot.t(path) : undefined;
  }

  /** Throws where an area's words were not loaded with its page. */
  of<W>(area: string): Translate<W> {
    const translate = this.#known.get(area);
    if (!translate) throw new Error(`the words of "${area}" are not loaded`);
    return translate;
  }
}
