// Answers of Prometheus, read: every series of a range, or of one moment. Pure. An answer that is too large, or none of Prometheus's,
// is an error, and never "no series".
import { readMatrix, vectorSteps } from './read-answer.ts';

/** Without a metric's name the label `__name__` is absent. They prove nothing: `label_replace` writes any. */
export type Labels = Readonly<Record<string, string>>;

/** `value` may be NaN or infinite. */
export interface Sample {
  labels: Labels;
  value: number;
}

export interface Series {
  labels: Labels;
  /** One for each step, from the first to the last; null where there is no sample, or none that is a finite number. */
  points: (number | null)[];
}

/** The same as a text of JSON. */
export interface SeriesText {
  labels: Labels;
  points: string;
}

/** The same as numbers; NaN for null. */
export interface PastSeries {
  labels: Labels;
  points: Float64Array;
}

export interface Answer<T> {
  series: T[];
  /** Prometheus's own words where its answer is partial; usually none. */
  warnings: string[];
}

/** Milliseconds since 1970; both ends are included. */
export interface Range {
  start: number;
  end: number;
  stepMs: number;
}

/** Prometheus cannot be reached, is not in time, or fails: what it would have said is unknown. */
export class PrometheusAway extends Error {
  override readonly name = 'PrometheusAway';
}
/** Prometheus refuses this query; the message is its own. */
export class QueryRefused extends Error {
  override readonly name = 'QueryRefused';
}
/** More series or bytes than the caller allows. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

/** Reads a JSON object of texts; undefined for anything else. */
export type ReadLabels = (text: string) => Labels | undefined;

/** The points of each series as a text: most of them are only passed on. Throws AnswerTooLarge, PrometheusAway. */
export function decodeRange(bytes: Buffer, range: Range, mostSeries: number, read: ReadLabels): Answer<SeriesText> {
  const quick = readMatrix(bytes, range, mostSeries)?.map(({ metric, points }) => {
    const labels = read(metric);
    return labels && { labels, points };
  });
  if (quick?.every((row) => row !== undefined)) return { series: upTo(mostSeries, quick), warnings: [] };
  const { data, warnings } = answerIn(bytes.toString());
  const { resultType, result } = fieldsOf(data);
  const rows = rowsOf(resultType === 'matrix' ? result : undefined, mostSeries);
  return {
    series: rows.map(({ metric, values }) => ({
      labels: labelsOf(metric),
      points: JSON.stringify(pointsOf(values, range)),
    })),
    warnings,
  };
}

/** The same as numbers. NaN: there is no sample, or none that is a finite number. */
export function decodePast(bytes: Buffer, range: Range, mostSeries: number, read: ReadLabels): Answer<PastSeries> {
  const { series, warnings } = decodeRange(bytes, range, mostSeries, read);
  return {
    series: series.map(({ labels, points }) => ({
      labels,
      points: Float64Array.from(JSON.parse(points) as (number | null)[], (point) => point ?? Number.NaN),
    })),
    warnings,
  };
}

/** A scalar is one sample without labels. Ends its turn now and then: the platform asks about everybody at once. */
export function* decodeInstant(
  bytes: Buffer,
  mostSeries: number,
  read: ReadLabels,
): Generator<undefined, Answer<Sample>> {
  const text = bytes.toString();
  const quick = yield* vectorSteps(text, mostSeries, (metric, value) => {
    const labels = read(metric);
    return labels && { labels, value: numberIn(value) };
  });
  if (quick) return { series: upTo(mostSeries, quick), warnings: [] };
  const { data, warnings } = answerIn(text);
  const { resultType, result } = fieldsOf(data);
  if (resultType === 'scalar') return { series: [{ labels: {}, value: numberOf(result) }], warnings };
  // A text, or a range of samples.
  if (resultType !== 'vector') throw new QueryRefused('one number for each series is wanted');
  const series: Sample[] = [];
  // A native histogram has no value.
  for (const { metric, value } of rowsOf(result, mostSeries))
    if (value !== undefined) series.push({ labels: labelsOf(metric), value: numberOf(value) });
  return { series, warnings };
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function answerIn(text: string): { data: unknown; warnings: string[] } {
  const { status, data, warnings } = fieldsOf(jsonOf(text));
  if (status !== 'success') throw new PrometheusAway('the answer is not one of Prometheus');
  return { data, warnings: Array.isArray(warnings) ? warnings.map(String) : [] };
}

function upTo<T>(most: number, rows: T[]): T[] {
  if (rows.length > most) throw new AnswerTooLarge(`more than ${most} series`);
  return rows;
}

export function rowsOf(result: unknown, mostSeries: number): Record<string, unknown>[] {
  if (!Array.isArray(result)) throw new PrometheusAway('the answer has no series');
  return upTo(mostSeries, result).map(fieldsOf);
}

function pointsOf(values: unknown, { start, end, stepMs }: Range): (number | null)[] {
  const points = new Array<number | null>(Math.floor((end - start) / stepMs) + 1).fill(null);
  for (const sample of Array.isArray(values) ? values : []) {
    if (!Array.isArray(sample)) continue;
    const at = Math.round((Number(sample[0]) * 1_000 - start) / stepMs);
    const value = numberOf(sample);
    if (at >= 0 && at < points.length && Number.isFinite(value)) points[at] = value;
  }
  return points;
}

/** The number in a sample `[time, "value"]`. */
function numberOf(sample: unknown): number {
  const text: unknown = Array.isArray(sample) ? sample[1] : undefined;
  return typeof text === 'string' ? numberIn(text) : Number.NaN;
}

function numberIn(text: string): number {
  const value = Number(text);
  // Nothing at all reads as 0; what Prometheus calls Inf, as no number.
  if (value === 0) return text.trim() === '' ? Number.NaN : value;
  return Number.isNaN(value) ? Number(text.replace('Inf', 'Infinity')) : value;
}

/** Prometheus's are texts, and are not copied. */
export function labelsOf(metric: unknown): Labels {
  const labels = fieldsOf(metric);
  for (const name in labels)
    if (typeof labels[name] !== 'string')
      return Object.fromEntries(Object.entries(labels).map(([label, value]) => [label, `${value}`]));
  return labels as Labels;
}

export const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
