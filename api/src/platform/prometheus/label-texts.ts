// Labels by the text that Prometheus writes them as: an answer has the series of the one before it, and each is read once.
import type { Labels } from './decode-answer.ts';

/** A query writes a label of any length; texts longer than any exporter's are read each time. */
const MOST_LETTERS = 2_048;
/** The size of one generation; with the one before it, and with the labels read from both, they take some tens of megabytes at most. */
const MOST_KEPT = 20_000;
const MOST_KEPT_LETTERS = 4 * 1024 * 1024;

export class LabelTexts {
  #newer = new Map<string, Labels>();
  #older = new Map<string, Labels>();
  /** The letters of the newer generation. */
  #letters = 0;

  /** Undefined for what is no JSON object of texts. The same object each time, which nobody may change. */
  of(text: string): Labels | undefined {
    const known = this.#newer.get(text);
    if (known) return known;
    const labels = this.#older.get(text) ?? readLabels(text);
    if (labels && text.length <= MOST_LETTERS) this.#keep(text, labels);
    return labels;
  }

  #keep(text: string, labels: Labels): void {
    if (this.#newer.size >= MOST_KEPT || this.#letters + text.length > MOST_KEPT_LETTERS) {
      this.#older = this.#newer;
      this.#newer = new Map();
      this.#letters = 0;
    }
    this.#letters += text.length;
    // A piece of an answer would keep all of it in memory.
    this.#newer.set(Buffer.from(text).toString(), labels);
  }
}

/** Undefined for what is no JSON object of texts. */
export function readLabels(text: string): Labels | undefined {
  try {
    const labels: unknown = JSON.parse(text);
    if (typeof labels !== 'object' || labels === null || Array.isArray(labels)) return undefined;
    return Object.values(labels).every((value) => typeof value === 'string') ? (labels as Labels) : undefined;
  } catch {
    return undefined;
  }
}
