// A value as text that any reader takes as it was meant. data-worker/gantry_worker/cells.py has the same rule for its answers, and
// test/integration/tables.test.ts compares the two over all types that DuckDB writes.
import { demand } from './broken-table.ts';
import { TEXT_CHARS, VALUE_BYTES } from './limits.ts';
import { type Column, type Form, itemOf } from './schema.ts';

export type Scalar = string | number | boolean | null;

/** JavaScript's numbers have no more digits. */
const EXACT = 2 ** 53;
const decoder = new TextDecoder();
const DAY_SECONDS = 86_400;
const MICROS = 1_000_000n;

/** The characters that may still be written, of one cell or one row. */
export interface Budget {
  chars: number;
}
export const budget = (): Budget => ({ chars: TEXT_CHARS });
export function spend(left: Budget, chars: number): void {
  left.chars -= chars;
  demand(left.chars >= 0, `a row has more than ${TEXT_CHARS} characters`);
}

export const isNested = ({ is }: Form): boolean => is === 'list' || is === 'map' || is === 'struct';

/** The form of a value that is not nested in an answer. */
export function scalarOf(value: unknown, { form, element }: Column): Scalar {
  if (value === null || value === undefined || form.is === 'list' || form.is === 'map' || form.is === 'struct')
    return null;
  return SCALARS[form.is](value as never, form, element);
}

/** The same of a value that is written whole, however long it is. */
export function wholeOf(value: unknown, column: Column): Scalar {
  demand(!(value instanceof Uint8Array) || value.length <= VALUE_BYTES, `a value has more than ${VALUE_BYTES} bytes`);
  return scalarOf(value, column);
}

type Scalars = Readonly<
  Record<
    Exclude<Form['is'], 'list' | 'map' | 'struct'>,
    (value: never, form: Form, element: Column['element']) => Scalar
  >
>;

const SCALARS: Scalars = {
  boolean: (value: unknown) => value === true,
  integer: (value: bigint | number) => exact(BigInt(value)),
  unsigned: (value: bigint | number, _, { type }) => exact(BigInt.asUintN(type === 'INT64' ? 64 : 32, BigInt(value))),
  float: (value: number) => finite(value),
  decimal: (value: unknown, { parts = 0 }) => decimalText(bigintOf(value), parts),
  date: (value: number) => dateText(value),
  time: (value: bigint | number, { parts = 0, isUtc = false }) => timeText(microsOf(BigInt(value), parts), isUtc),
  timestamp: (value: bigint | number, { parts = 0, isUtc = false }) => timestampText(BigInt(value), parts, isUtc),
  interval: (value: Uint8Array) => intervalText(value),
  uuid: (value: Uint8Array) => hexOf(value).replace(/^(.{8})(.{4})(.{4})(.{4})(.*)$/, '$1-$2-$3-$4-$5'),
  text: (value: Uint8Array) => decoder.decode(value),
  bytes: (value: unknown) => `\\x${hexOf(bytesOf(value))}`,
  nothing: () => null,
};

/** Any value as JSON, with blanks where Python's `json.dumps` has them. */
export function jsonOf(value: unknown, column: Column, left: Budget): string {
  if (value === null || value === undefined) return 'null';
  if (!isNested(column.form)) {
    const said = wholeOf(value, column);
    const text = typeof said === 'string' ? JSON.stringify(said) : numberText(said, column.form);
    spend(left, text.length);
    return text;
  }
  if (column.form.is === 'list') {
    const inner = itemOf(column.children[0] as Column);
    return `[${itemsOf(value)
      .map((item) => jsonOf(item, inner, left))
      .join(', ')}]`;
  }
  if (column.form.is === 'map') return mapJson(value as Record<string, unknown>, column, left);
  const fields = column.children.map((child) => {
    spend(left, child.name.length + 6);
    return `${JSON.stringify(child.name)}: ${jsonOf((value as Record<string, unknown>)[child.element.name], child, left)}`;
  });
  return `{${fields.join(', ')}}`;
}

/** Keys are text. Where they are nested themselves, there are two lists instead. */
function mapJson(value: Record<string, unknown>, { children }: Column, left: Budget): string {
  const [pairs] = children as [Column];
  const [key, inner] = pairs.children as [Column, Column];
  const all = itemsOf(value[pairs.element.name]) as Record<string, unknown>[];
  const of = (column: Column) => all.map((pair) => pair[column.element.name]);
  if (isNested(key.form)) {
    const list = (column: Column) =>
      of(column)
        .map((one) => jsonOf(one, column, left))
        .join(', ');
    return `{"key": [${list(key)}], "value": [${list(inner)}]}`;
  }
  // The last value of a key counts, at the first one's place.
  const found = new Map<string, string>();
  for (const pair of all) {
    const name = keyText(pair[key.element.name], key);
    spend(left, name.length + 6);
    found.set(name, jsonOf(pair[inner.element.name], inner, left));
  }
  return `{${[...found].map(([name, json]) => `${JSON.stringify(name)}: ${json}`).join(', ')}}`;
}

/** As Python writes them: True, None, 1.0. */
function keyText(value: unknown, { form, ...column }: Column): string {
  const said = wholeOf(value, { form, ...column });
  if (said === null) return 'None';
  if (typeof said === 'boolean') return said ? 'True' : 'False';
  return typeof said === 'string' ? said : numberText(said, form);
}

const itemsOf = (value: unknown): unknown[] => {
  demand(Array.isArray(value), 'a list has no items');
  return value;
};

const exact = (value: bigint): number | string =>
  value >= -BigInt(EXACT) && value <= BigInt(EXACT) ? Number(value) : `${value}`;

const finite = (value: number): number | string =>
  Number.isFinite(value) ? value : Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';

/** A number, or a boolean, in JSON. One with a point keeps it, so that readers know. */
export function numberText(value: Scalar, { is }: Form): string {
  if (typeof value !== 'number' || is !== 'float') return `${value}`;
  if (Object.is(value, -0)) return '-0.0';
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power < -4 || power >= 16) return `${digits}e${power < 0 ? '-' : '+'}${`${Math.abs(power)}`.padStart(2, '0')}`;
  // JavaScript turns to exponents later than Python, and at small numbers too.
  const text = value === 0 || Math.abs(value) >= 1e-6 ? `${value}` : value.toFixed(20).replace(/0+$/, '');
  return text.includes('.') ? text : `${text}.0`;
}

const bytesOf = (value: unknown): Uint8Array => {
  demand(value instanceof Uint8Array || typeof value === 'bigint', 'a value is none of bytes');
  if (value instanceof Uint8Array) return value;
  // INT96: twelve bytes, the lowest first.
  return Uint8Array.from({ length: 12 }, (_, at) => Number((BigInt.asUintN(96, value) >> BigInt(8 * at)) & 0xffn));
};

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');

/** A whole number of any width, the highest byte first. */
function bigintOf(value: unknown): bigint {
  if (!(value instanceof Uint8Array)) return BigInt(value as bigint | number);
  demand(value.length <= 64, 'a decimal has too many digits');
  return value.length === 0 ? 0n : BigInt.asIntN(8 * value.length, BigInt(`0x${hexOf(value)}`));
}

/** As Python writes it: with an exponent where it begins with more than five zeros. */
function decimalText(value: bigint, scale: number): string {
  const sign = value < 0n ? '-' : '';
  const digits = `${value < 0n ? -value : value}`;
  const power = digits.length - 1 - scale;
  if (scale > 0 && power < -6) {
    const rest = digits.slice(1);
    return `${sign}${digits[0]}${rest && `.${rest}`}E${power}`;
  }
  const padded = digits.padStart(scale + 1, '0');
  return scale === 0 ? `${sign}${padded}` : `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

const MOST_DAYS = 2_147_483_647;
const FIRST_YEAR = 1;
const LAST_YEAR = 9_999;

/** Infinite ones are the first and the last that Python knows; what is beyond is as DuckDB writes it. */
function dateText(days: number): string {
  if (days === MOST_DAYS) return '9999-12-31';
  return days === -MOST_DAYS ? '0001-01-01' : dayOf(days).text;
}

/** The day so many days after 1970-01-01, in the Gregorian calendar. */
function dayOf(days: number): { year: number; text: string } {
  // From March on, leap days are the last of a year (H. Hinnant, chrono-compatible date algorithms).
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const day = shifted - era * 146_097;
  const ofEra = Math.floor(
    (day - Math.floor(day / 1_460) + Math.floor(day / 36_524) - Math.floor(day / 146_096)) / 365,
  );
  const ofYear = day - (365 * ofEra + Math.floor(ofEra / 4) - Math.floor(ofEra / 100));
  const march = Math.floor((5 * ofYear + 2) / 153);
  const month = march < 10 ? march + 3 : march - 9;
  const year = ofEra + era * 400 + (month <= 2 ? 1 : 0);
  const date = `-${two(month)}-${two(ofYear - Math.floor((153 * march + 2) / 5) + 1)}`;
  const isBefore = year < FIRST_YEAR;
  return { year, text: `${`${isBefore ? 1 - year : year}`.padStart(4, '0')}${date}${isBefore ? ' (BC)' : ''}` };
}

const two = (number: number): string => `${number}`.padStart(2, '0');

/** Finer units are cut off, towards 1970. */
function microsOf(value: bigint, parts: number): bigint {
  if (parts < 6) return value * 1_000n;
  return parts === 6 ? value : value / 1_000n;
}

function clock(micros: bigint): { text: string; fraction: string } {
  const seconds = Number(micros / MICROS);
  const fraction = `${micros % MICROS}`.padStart(6, '0');
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return { text: `${two(hours)}:${two(minutes)}:${two(seconds % 60)}`, fraction };
}

const withFraction = ({ text, fraction }: ReturnType<typeof clock>): string =>
  Number(fraction) === 0 ? text : `${text}.${fraction}`;

function timeText(micros: bigint, isUtc: boolean): string {
  const day = BigInt(DAY_SECONDS) * MICROS;
  demand(micros >= 0n && micros <= day, 'a time is not one of a day');
  return isUtc ? `${withFraction(clock(micros % day))}+00:00` : withFraction(clock(micros));
}

const INFINITE = 2n ** 63n - 1n;

function timestampText(value: bigint, parts: number, isUtc: boolean): string {
  if (value === INFINITE) return '9999-12-31T23:59:59.999999';
  if (value === -INFINITE) return '0001-01-01T00:00:00';
  const micros = microsOf(value, parts);
  const length = BigInt(DAY_SECONDS) * MICROS;
  const ofDay = ((micros % length) + length) % length;
  const { year, text } = dayOf(Number((micros - ofDay) / length));
  const time = clock(ofDay);
  if (year >= FIRST_YEAR && year <= LAST_YEAR) return `${text}T${withFraction(time)}${isUtc ? '+00:00' : ''}`;
  const short = time.fraction.replace(/0+$/, '');
  return `${text} ${time.text}${short && `.${short}`}${isUtc ? '+00' : ''}`;
}

/** Months, days and milliseconds; a month counts 30 days. */
function intervalText(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const millis = view.getUint32(8, true);
  const seconds = Math.floor(millis / 1_000);
  const [ofDay, more] = [seconds % DAY_SECONDS, Math.floor(seconds / DAY_SECONDS)];
  const days = monthsOf(view.getUint32(0, true)) + view.getUint32(4, true) + more;
  const time = `${Math.floor(ofDay / 3_600)}:${two(Math.floor(ofDay / 60) % 60)}:${two(ofDay % 60)}`;
  const fraction = millis % 1_000 === 0 ? '' : `.${`${millis % 1_000}`.padStart(3, '0')}000`;
  return `${days === 0 ? '' : `${days} ${days === 1 ? 'day' : 'days'}, `}${time}${fraction}`;
}

const monthsOf = (months: number): number => months * 30;
