// Reads answers of many samples as Prometheus writes them, without a value for each piece of JSON. Pure. Whatever is written in any
// other way, by a server that speaks as Prometheus does or with warnings, is undefined here, and left to JSON.parse.
import { AFTER, isNumber, NO_LETTER } from './json-number.ts';

/** Milliseconds since 1970; both ends are included. */
interface Steps {
  start: number;
  end: number;
  stepMs: number;
}

export interface MatrixRow {
  /** A JSON object. */
  metric: string;
  /** A JSON array: a number or null for each step. */
  points: string;
}

const HEADS = {
  matrix: '{"status":"success","data":{"resultType":"matrix","result":[',
  vector: '{"status":"success","data":{"resultType":"vector","result":[',
} as const;
const ROW = '{"metric":';
// A quote after a comma stands in no text of JSON's: there it has a backslash before it.
const VALUES = '},"values":[';
const VALUE = '},"value":[';
const TAIL = '}}';

const code = (letter: string): number => letter.charCodeAt(0);
const [OPEN, CLOSE, COMMA, QUOTE, DOT, MINUS] = ['[', ']', ',', '"', '.', '-'].map(code) as Six;
const [ZERO, NINE] = [code('0'), code('9')];
type Six = [number, number, number, number, number, number];
const NULL = Buffer.from('null');

const isDigit = (byte: number | undefined): byte is number => byte !== undefined && byte >= ZERO && byte <= NINE;

/** Every series of a range. Rows beyond `most` are not read. */
export function readMatrix(bytes: Buffer, steps: Steps, most: number): MatrixRow[] | undefined {
  if (bytes.toString('latin1', 0, HEADS.matrix.length) !== HEADS.matrix) return undefined;
  const rows: MatrixRow[] = [];
  const points = new Points(bytes, steps);
  let at = HEADS.matrix.length;
  if (bytes[at] === CLOSE) return isTail(bytes, at) ? rows : undefined;
  for (;;) {
    if (bytes.toString('latin1', at, at + ROW.length) !== ROW) return undefined;
    const metricAt = at + ROW.length;
    const metricEnd = bytes.indexOf(VALUES, metricAt);
    if (metricEnd < 0) return undefined;
    const text = points.readAll(metricEnd + VALUES.length);
    if (text === undefined) return undefined;
    rows.push({ metric: bytes.toString('utf8', metricAt, metricEnd + 1), points: text });
    if (rows.length > most) return rows;
    if (bytes.toString('latin1', points.at, points.at + 2) === '},') at = points.at + 2;
    else
      return bytes.toString('latin1', points.at, points.at + 2) === '}]' && isTail(bytes, points.at + 1)
        ? rows
        : undefined;
  }
}

const isTail = (bytes: Buffer, at: number): boolean => bytes.toString('latin1', at + 1) === TAIL;

/** The samples of one series after the other, written as one point for each step. */
class Points {
  at = 0;
  readonly #bytes: Buffer;
  readonly #steps: Steps;
  readonly #count: number;
  /** Room for any series of the answer. */
  readonly #text: Buffer;
  #length = 0;
  /** How many steps have their point. */
  #done = 0;

  constructor(bytes: Buffer, steps: Steps) {
    this.#bytes = bytes;
    this.#steps = steps;
    this.#count = Math.floor((steps.end - steps.start) / steps.stepMs) + 1;
    this.#text = Buffer.allocUnsafe(bytes.length + this.#count * (NULL.length + 1) + 2);
  }

  /** A JSON array of the samples that begin here, where each is as Prometheus writes it. Then `at` is behind their list. */
  readAll(from: number): string | undefined {
    this.at = from;
    this.#done = 0;
    this.#length = 0;
    this.#text[this.#length++] = OPEN;
    do if (!this.#read()) return undefined;
    while (this.#take(COMMA));
    if (!this.#take(CLOSE)) return undefined;
    this.#skip(this.#count);
    this.#text[this.#length++] = CLOSE;
    return this.#text.toString('latin1', 0, this.#length);
  }

  /** One sample. False if it is written otherwise, or has no step of its own. */
  #read(): boolean {
    if (!this.#take(OPEN)) return false;
    const step = Math.round((this.#time() - this.#steps.start) / this.#steps.stepMs);
    if (!this.#take(COMMA) || !this.#take(QUOTE) || step < this.#done || step >= this.#count) return false;
    this.#skip(step);
    return this.#value() && this.#take(QUOTE) && this.#take(CLOSE);
  }

  #take(byte: number): boolean {
    return this.#bytes[this.at] === byte && ++this.at > 0;
  }

  /** In milliseconds. */
  #time(): number {
    const bytes = this.#bytes;
    let { at } = this;
    let time = 0;
    for (let byte = bytes[at]; isDigit(byte); byte = bytes[++at]) time = time * 10 + byte - ZERO;
    time *= 1_000;
    if (bytes[at] === DOT) {
      let unit = 100;
      for (let byte = bytes[++at]; isDigit(byte); byte = bytes[++at], unit /= 10) time += (byte - ZERO) * unit;
    }
    this.at = at;
    return time;
  }

  #value(): boolean {
    const bytes = this.#bytes;
    let { at } = this;
    if (!isDigit(bytes[at]) && !(bytes[at] === MINUS && isDigit(bytes[at + 1]))) return this.#noNumber();
    this.#separate();
    const text = this.#text;
    let to = this.#length;
    let state = NO_LETTER;
    for (;;) {
      const byte = bytes[at] as number;
      const next = AFTER[state * 256 + byte] as number;
      if (next === 0) break;
      state = next;
      text[to++] = byte;
      at++;
    }
    this.at = at;
    this.#length = to;
    this.#done++;
    return isNumber(state);
  }

  #noNumber(): boolean {
    const end = this.#bytes.indexOf(QUOTE, this.at);
    if (!NO_NUMBERS.has(this.#bytes.toString('latin1', this.at, end))) return false;
    this.at = end;
    this.#skip(this.#done + 1);
    return true;
  }

  #skip(until: number): void {
    while (this.#done < until) {
      this.#separate();
      this.#length += NULL.copy(this.#text, this.#length);
      this.#done++;
    }
  }

  #separate(): void {
    if (this.#done > 0) this.#text[this.#length++] = COMMA;
  }
}

const NO_NUMBERS: ReadonlySet<string> = new Set(['NaN', '+Inf', '-Inf']);

/** Rows between two rests. */
const ROWS_AT_ONCE = 2_000;

/**
 * Every series of one moment, made of a JSON object and a value as Prometheus writes it: `1.5`, `NaN`, `+Inf`. Rows beyond `most` are
 * not read. Rests now and then, for who cannot wait for all of them.
 */
export function* vectorSteps<T>(
  text: string,
  most: number,
  make: (metric: string, value: string) => T | undefined,
): Generator<undefined, T[] | undefined> {
  if (!text.startsWith(HEADS.vector)) return undefined;
  const rows: T[] = [];
  let at = HEADS.vector.length;
  if (text.startsWith(']', at)) return text.slice(at + 1) === TAIL ? rows : undefined;
  for (;;) {
    const found = rowAt(text, at);
    if (!found) return undefined;
    const row = make(found.metric, found.value);
    if (row === undefined) return undefined;
    rows.push(row);
    if (rows.length > most) return rows;
    if (rows.length % ROWS_AT_ONCE === 0) yield;
    if (text.startsWith(']},', found.end)) at = found.end + 3;
    else return text.startsWith(']}]', found.end) && text.slice(found.end + 3) === TAIL ? rows : undefined;
  }
}

function rowAt(text: string, at: number): { metric: string; value: string; end: number } | undefined {
  if (!text.startsWith(ROW, at)) return undefined;
  const metricAt = at + ROW.length;
  const metricEnd = text.indexOf(VALUE, metricAt);
  const valueAt = text.indexOf(',"', metricEnd + VALUE.length) + 2;
  const valueEnd = text.indexOf('"', valueAt);
  if (Math.min(metricEnd, valueAt - 2, valueEnd) < 0) return undefined;
  return { metric: text.slice(metricAt, metricEnd + 1), value: text.slice(valueAt, valueEnd), end: valueEnd + 1 };
}
