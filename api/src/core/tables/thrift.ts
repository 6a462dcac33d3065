// Looks through a structure of Thrift's compact protocol before hyparquet reads it: what it declares has to be there, since hyparquet
// makes lists as long as they say they are.
import { BrokenTable, demand } from './broken-table.ts';

const [TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, STRUCT] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12];
const STOP = 0;
const MOST_LEVELS = 16;
/** Parquet's own have fewer than 20. hyparquet makes a member of an object of each: millions are one allocation too large. */
const MOST_FIELDS = 100;
const MOST_VARINT_BYTES = 10;
/** More is in none but the list of row groups, which is looked through one by one. */
const MOST_ITEMS = 100_000;

export class Thrift {
  readonly #view: DataView;
  at: number;

  constructor(view: DataView, at: number) {
    this.#view = view;
    this.at = at;
  }

  /** The fields of a structure, each with its type: whoever takes one skips it, or reads it to its end. */
  *fields(level = 0): Generator<readonly [id: number, type: number]> {
    demand(level < MOST_LEVELS, 'its description is nested too deep');
    for (let id = 0, count = 1; ; count++) {
      const byte = this.#byte();
      const type = byte & 0x0f;
      if (type === STOP) return;
      demand(count <= MOST_FIELDS, 'a structure of its description has too many fields');
      id = byte >> 4 === 0 ? this.number() : id + (byte >> 4);
      yield [id, type];
    }
  }

  struct(level = 0): void {
    for (const [, type] of this.fields(level)) this.skip(type, level + 1);
  }

  /** The items that a list says it has, and their type. */
  list(): { size: number; type: number } {
    const byte = this.#byte();
    const size = byte >> 4 === 15 ? this.#varint() : byte >> 4;
    demand(size <= Math.min(MOST_ITEMS, this.#left), 'its description is shorter than it says');
    return { size, type: byte & 0x0f };
  }

  skip(type: number, level: number): void {
    demand(level <= MOST_LEVELS, 'its description is nested too deep');
    if (type === TRUE || type === FALSE) return;
    if (type === BYTE) this.#pass(1);
    else if (type === I16 || type === I32 || type === I64) this.#varint();
    else if (type === DOUBLE) this.#pass(8);
    else if (type === BINARY) this.#pass(this.#varint());
    else if (type === STRUCT) this.struct(level);
    else if (type === LIST) {
      const { size, type: inner } = this.list();
      for (let item = 0; item < size; item++) this.skip(inner === TRUE || inner === FALSE ? BYTE : inner, level + 1);
    } else demand(false, 'its description has a type that Parquet does not use');
  }

  number(): number {
    return zigzag(this.#varint());
  }

  get #left(): number {
    return this.#view.byteLength - this.at;
  }

  #pass(bytes: number): void {
    demand(bytes <= this.#left, 'its description is shorter than it says');
    this.at += bytes;
  }

  #byte(): number {
    demand(this.#left > 0, 'its description is shorter than it says');
    return this.#view.getUint8(this.at++);
  }

  /** As hyparquet reads it where it fits 32 bits; what does not is larger than any limit. */
  #varint(): number {
    let value = 0;
    for (let read = 0; read < MOST_VARINT_BYTES; read++) {
      const byte = this.#byte();
      value += (byte & 0x7f) * 2 ** (7 * read);
      if (byte < 0x80) return value;
    }
    throw new BrokenTable('its description has a number without an end');
  }
}

const zigzag = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);
