// Search in memory over a few thousand texts, in languages with spaces and without: words may have a typing error or two, Chinese and
// Japanese are found by pairs of characters. All work is bounded: letters of a text, words of a question, words that are compared.
import { setImmediate as nextTurn } from 'node:timers/promises';

/** From and to in UTF-16 units of the original text, `to` behind the last. */
export type Range = [number, number];

/** What stands in a text, the weightier first: its name weighs more than its card. */
export interface Field {
  text: string;
  weight: number;
}

export interface Hit {
  id: string;
  score: number;
}

export interface Found {
  /** The best first; those with the same score in the order in which they were put in. */
  hits: Hit[];
  /** Where what was sought stands in a text. */
  rangesIn(text: string): Range[];
}

interface Entry {
  stamp: string;
  /** By word or pair of characters: the weight of the best field that has it. */
  terms: ReadonlyMap<string, number>;
}

const MOST_LETTERS = 20_000;
const MOST_TERMS_OF_A_TEXT = 3_000;
const MOST_SOUGHT = 8;
/** Words of the texts that one word of a question stands for. */
const MOST_EXPANSIONS = 40;
/** After so many texts others get their turn. */
const AT_ONCE = 8;
const SCORED_AT_ONCE = 250;
/** Words that one of a question is compared with; it is always found where it stands as it is. */
const MOST_COMPARED = 60_000;

/** Letters that are written without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々〆]/u;
const TOKENS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々〆]+|[\p{L}\p{N}]+/gu;
const CLUSTERS = /[^\p{M}][\p{M}\u{ff9e}\u{ff9f}]*/gu;

/** How well a word stands for a sought one, and what of it was sought. */
interface Expansion {
  quality: number;
  from: number;
  to: number;
}

export class TextIndex {
  readonly #entries = new Map<string, Entry>();
  /** How many texts have each word. */
  readonly #words = new Map<string, number>();

  get size(): number {
    return this.#entries.size;
  }

  /** The texts are these and no others; only those with another stamp are read again. */
  async keep(texts: readonly { id: string; stamp: string; fields(): readonly Field[] }[]): Promise<void> {
    const ids = new Set(texts.map(({ id }) => id));
    for (const id of [...this.#entries.keys()]) if (!ids.has(id)) this.#drop(id);
    let read = 0;
    for (const { id, stamp, fields } of texts) {
      if (this.#entries.get(id)?.stamp === stamp) continue;
      this.#drop(id);
      const terms = termsOf(fields());
      this.#entries.set(id, { stamp, terms });
      for (const term of terms.keys()) this.#words.set(term, (this.#words.get(term) ?? 0) + 1);
      read += 1;
      if (read % AT_ONCE === 0) await nextTurn();
    }
  }

  /** Texts that have all that is sought; all of them, without a score, where nothing is. Others get their turn meanwhile. */
  async find(question: string): Promise<Found> {
    const sought = soughtIn(question);
    if (sought.length === 0)
      return { hits: [...this.#entries.keys()].map((id) => ({ id, score: 0 })), rangesIn: () => [] };
    const expanded: Asked[] = [];
    for (const { text, isUnspaced } of sought) {
      expanded.push(isUnspaced ? pairsAsked(text) : this.#standingFor(text));
      await nextTurn();
    }
    const hits: Hit[] = [];
    let looked = 0;
    for (const [id, { terms }] of this.#entries) {
      const scores = expanded.map((asked) => scoreOf(asked, terms));
      if (scores.every((score) => score > 0)) hits.push({ id, score: scores.reduce((sum, one) => sum + one, 0) });
      looked += 1;
      if (looked % SCORED_AT_ONCE === 0) await nextTurn();
    }
    return {
      hits: hits.toSorted((a, b) => b.score - a.score),
      rangesIn: (text) => rangesOf(text, expanded),
    };
  }

  /** Those that share the most of its rarer words; never itself. */
  related(id: string, most: number): string[] {
    const own = this.#entries.get(id);
    if (!own) return [];
    const rarity = (term: string) => Math.log1p(this.#entries.size / (this.#words.get(term) ?? 1));
    const telling = [...own.terms]
      .map(([term, weight]) => ({ term, value: weight * rarity(term) }))
      .filter(({ value }) => value > 0)
      .toSorted((a, b) => b.value - a.value)
      .slice(0, MOST_EXPANSIONS);
    return [...this.#entries]
      .filter(([other]) => other !== id)
      .map(([other, { terms }]) => ({
        other,
        score: telling.reduce((sum, { term, value }) => sum + (terms.has(term) ? value : 0), 0),
      }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, most)
      .map(({ other }) => other);
  }

  #drop(id: string): void {
    for (const term of this.#entries.get(id)?.terms.keys() ?? []) {
      const left = (this.#words.get(term) ?? 1) - 1;
      if (left > 0) this.#words.set(term, left);
      else this.#words.delete(term);
    }
    this.#entries.delete(id);
  }

  /** Words of the texts that begin with it or have it in them; and where it is in none, those that nearly are it. */
  #standingFor(sought: string): Asked {
    const containing = new Map<string, Expansion>();
    const near: { word: string; distance: number }[] = [];
    const [mask, errors] = [lettersOf(sought), mostErrors(sought)];
    let compared = 0;
    if (this.#words.has(sought)) containing.set(sought, { quality: 1, from: 0, to: sought.length });
    for (const word of this.#words.keys()) {
      compared += 1;
      if (compared > MOST_COMPARED) break;
      const part = partOf(word, sought);
      if (part) containing.set(word, part);
      else if (errors > 0 && containing.size === 0 && isNearby(word, sought, mask, errors))
        near.push({ word, distance: distanceOf(word, sought, errors) });
    }
    if (containing.size > 0) {
      const best = [...containing].toSorted(([, a], [, b]) => b.quality - a.quality).slice(0, MOST_EXPANSIONS);
      return { words: new Map(best), needs: 1, isWord: true };
    }
    const best = near
      .filter(({ distance }) => distance <= errors)
      .toSorted((a, b) => a.distance - b.distance)
      .slice(0, MOST_EXPANSIONS)
      .map(({ word, distance }) => [word, { quality: distance === 1 ? 0.4 : 0.2, from: 0, to: word.length }] as const);
    return { words: new Map(best), needs: 1, isWord: true };
  }
}

/** A word that begins with what is sought, or has it in it. */
function partOf(word: string, sought: string): Expansion | undefined {
  const from = word.indexOf(sought);
  if (from < 0 || (from > 0 && sought.length < 3)) return undefined;
  return { quality: word === sought ? 1 : from === 0 ? 0.8 : 0.5, from, to: from + sought.length };
}

/** What stands for one part of a question: any of some words, or so many of its pairs. */
interface Asked {
  words: ReadonlyMap<string, Expansion>;
  needs: number;
  isWord: boolean;
}

/** Of a word the best that stands for it, of pairs the share that is there; 0 where that is not enough. */
function scoreOf({ words, needs, isWord }: Asked, terms: ReadonlyMap<string, number>): number {
  const weights = [...words].flatMap(([word, { quality }]) => (terms.get(word) ?? 0) * quality || []);
  if (weights.length < needs) return 0;
  return isWord ? Math.max(...weights) : weights.reduce((sum, weight) => sum + weight, 0) / words.size;
}

/** Each wrong character spoils two pairs at most; something has to be left. */
function pairsAsked(text: string): Asked {
  const pairs = new Set(pairsIn(text));
  return {
    words: new Map([...pairs].map((pair) => [pair, { quality: 1, from: 0, to: pair.length }])),
    needs: Math.max(1, pairs.size - 2 * mostErrors(text)),
    isWord: false,
  };
}

/** One in four letters, two in eight; of characters without spaces, which say more, one in four as well. */
const mostErrors = (text: string): number => (text.length >= 8 ? 2 : text.length >= 4 ? 1 : 0);

const pairsIn = (text: string): string[] => {
  const letters = [...text];
  return letters.length === 1 ? letters : letters.slice(1).map((letter, at) => `${letters[at]}${letter}`);
};

function soughtIn(question: string): { text: string; isUnspaced: boolean }[] {
  const tokens = normalized(question.slice(0, 200)).text.match(TOKENS) ?? [];
  return [...new Set(tokens)].slice(0, MOST_SOUGHT).map((text) => ({ text, isUnspaced: UNSPACED.test(text) }));
}

function termsOf(fields: readonly Field[]): ReadonlyMap<string, number> {
  const terms = new Map<string, number>();
  const put = (term: string, weight: number) => {
    if ((terms.get(term) ?? 0) >= weight) return;
    if (terms.has(term) || terms.size < MOST_TERMS_OF_A_TEXT) terms.set(term, weight);
  };
  for (const { text, weight } of fields)
    for (const token of normalized(text.slice(0, MOST_LETTERS)).text.match(TOKENS) ?? []) {
      if (!UNSPACED.test(token)) put(token.slice(0, 64), weight);
      else for (const one of [...(token.length > 1 ? pairsIn(token) : []), ...token]) put(one, weight);
    }
  return terms;
}

function rangesOf(text: string, asked: readonly Asked[]): Range[] {
  const { text: plain, at } = normalized(text.slice(0, MOST_LETTERS));
  const marks = [...plain.matchAll(TOKENS)].flatMap(({ 0: token, index }) =>
    partsOf(token, asked).flatMap(([from, to]): Range[] => {
      const [first, last] = [at[index + from], at[index + to - 1]];
      return first && last ? [[first[0], last[1]]] : [];
    }),
  );
  return joined(marks);
}

/** The parts of one word, or of a run of characters without spaces, that were sought. */
function partsOf(token: string, asked: readonly Asked[]): Range[] {
  if (!UNSPACED.test(token))
    return asked.flatMap(({ words }): Range[] => {
      const found = words.get(token);
      return found ? [[found.from, found.to]] : [];
    });
  const starts = Array.from(token, (_, from) => from);
  return [1, 2].flatMap((length) =>
    starts.flatMap((from): Range[] =>
      asked.some(({ words }) => words.has(token.slice(from, from + length))) ? [[from, from + length]] : [],
    ),
  );
}

/** In order, and those that touch as one. */
function joined(marks: readonly Range[]): Range[] {
  const all: Range[] = [];
  for (const [from, to] of marks.toSorted((a, b) => a[0] - b[0])) {
    const last = all.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else all.push([from, to]);
  }
  return all;
}

/** Lower case, wide and narrow letters alike; and of each unit the part of the original that it stands for. */
function normalized(text: string): { text: string; at: Range[] } {
  const at: Range[] = [];
  let plain = '';
  for (const cluster of text.matchAll(CLUSTERS)) {
    const letters = cluster[0].normalize('NFKC').toLowerCase();
    plain += letters;
    for (let unit = 0; unit < letters.length; unit += 1) at.push([cluster.index, cluster.index + cluster[0].length]);
  }
  return { text: plain, at };
}

/** Which letters and digits a word has, as bits: an error changes two of them at most. */
function lettersOf(word: string): number {
  let mask = 0;
  for (let at = 0; at < word.length; at += 1) mask |= 1 << (word.charCodeAt(at) % 31);
  return mask;
}

function isNearby(word: string, sought: string, mask: number, errors: number): boolean {
  if (Math.abs(word.length - sought.length) > errors) return false;
  let other = lettersOf(word) ^ mask;
  let differing = 0;
  for (; other !== 0; other &= other - 1) differing += 1;
  return differing <= 2 * errors;
}

/** Letters added, left out, replaced, or two swapped; more than `most` is `most + 1`. */
export function distanceOf(a: string, b: string, most: number): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      let least = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] ?? 0) + 1);
      next.push(least);
    }
    if (Math.min(...next) > most) return most + 1;
    [before, row] = [row, next];
  }
  return Math.min(row[b.length] ?? most + 1, most + 1);
}
