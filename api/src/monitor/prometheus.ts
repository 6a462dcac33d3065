// Asks Prometheus. What it is asked has been confined already, or is the platform's own. It answers whole and in time or not at all:
// an answer that is missing is neither 0 nor "no series".
import { readFileSync } from 'node:fs';
import { Agent as HttpAgent } from 'node:http';
import { Agent } from 'node:https';
import { PrometheusDriver } from 'prometheus-query';
import { withoutHiddenPairs } from './hidden-labels.ts';
import { LabelTexts } from './label-texts.ts';
import { readMatrix, readVector } from './read-answer.ts';

export interface PrometheusOptions {
  url: string;
  /** Sent as a bearer. Read anew for each call, because such files rotate. */
  tokenFile?: string;
  /** PEM files for TLS: whom to trust, and who we are. */
  caFile?: string;
  certFile?: string;
  keyFile?: string;
}

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

export interface AskLimits {
  signal?: AbortSignal | undefined;
  /** 10 s where absent. */
  deadlineMs?: number;
  /** Of the answer's text; 8 MiB where absent. */
  mostBytes?: number;
  /** 1,000 where absent. */
  mostSeries?: number;
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

const DEADLINE_MS = 10_000;
const MOST_BYTES = 8 * 1024 * 1024;
const MOST_SERIES = 1_000;

type Call = (driver: PrometheusDriver, timeout: string) => Promise<unknown>;
type Interceptor = NonNullable<ConstructorParameters<typeof PrometheusDriver>[0]['requestInterceptor']>['onFulfilled'];
type RequestConfig = Parameters<Interceptor>[0];

export class Prometheus {
  readonly #url: string;
  readonly #tokenFile: string | undefined;
  readonly #httpAgent = new HttpAgent({ keepAlive: true });
  readonly #agent: Agent | undefined;
  readonly #labels = new LabelTexts();

  /** Throws where a file cannot be read, or is no certificate. */
  constructor({ url, tokenFile, caFile, certFile, keyFile }: PrometheusOptions) {
    this.#url = url;
    this.#tokenFile = tokenFile;
    if (!url.startsWith('https:')) return;
    const pem = (file: string | undefined) => (file ? readFileSync(file) : undefined);
    this.#agent = new Agent({ keepAlive: true, ca: pem(caFile), cert: pem(certFile), key: pem(keyFile) });
  }

  /** At one moment. A scalar is one sample without labels. */
  async instant(query: string, time: number, limits: AskLimits = {}): Promise<Answer<Sample>> {
    const bytes = await this.#askBytes(limits, (driver, timeout) => driver.instantQuery(query, time, timeout));
    const text = bytes.toString();
    const { mostSeries = MOST_SERIES } = limits;
    const quick = readVector(text, mostSeries, (metric, value) => {
      const labels = this.#labels.of(metric);
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
    for (const { metric, value } of rowsOf(result, limits))
      if (value !== undefined) series.push({ labels: labelsOf(metric), value: numberOf(value) });
    return { series, warnings };
  }

  /** At each step of a range. */
  async range(query: string, range: Range, limits: AskLimits = {}): Promise<Answer<Series>> {
    const { series, warnings } = await this.rangeText(query, range, limits);
    return { series: series.map(({ labels, points }) => ({ labels, points: JSON.parse(points) })), warnings };
  }

  /** The same, its points as a text: most of them are only passed on. */
  async rangeText(query: string, range: Range, limits: AskLimits = {}): Promise<Answer<SeriesText>> {
    const { start, end, stepMs } = range;
    const bytes = await this.#askBytes(limits, (driver, timeout) =>
      driver.rangeQuery(query, start, end, stepMs / 1_000, timeout),
    );
    const { mostSeries = MOST_SERIES } = limits;
    const quick = readMatrix(bytes, range, mostSeries)?.map(({ metric, points }) => {
      const labels = this.#labels.of(metric);
      return labels && { labels, points };
    });
    if (quick?.every((row) => row !== undefined)) return { series: upTo(mostSeries, quick), warnings: [] };
    const { data, warnings } = answerIn(bytes.toString());
    const { resultType, result } = fieldsOf(data);
    const rows = rowsOf(resultType === 'matrix' ? result : undefined, limits);
    return {
      series: rows.map(({ metric, values }) => ({
        labels: labelsOf(metric),
        points: JSON.stringify(pointsOf(values, range)),
      })),
      warnings,
    };
  }

  /** The label sets of series that match any of these selectors. */
  async series(selectors: readonly string[], start: number, end: number, limits: AskLimits = {}): Promise<Labels[]> {
    const { data } = await this.#ask(limits, (driver) => driver.series([...selectors], start, end));
    return rowsOf(data, limits).map((row) => labelsOf(row));
  }

  /** The values of a label among series that match the selector. */
  async labelValues(
    label: string,
    selector: string,
    start: number,
    end: number,
    limits: AskLimits = {},
  ): Promise<string[]> {
    if (!/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(label)) throw new Error(`"${label}" is no label`);
    const { data } = await this.#ask(limits, (driver) => driver.labelValues(label, selector, start, end));
    return Array.isArray(data) ? data.filter((value) => typeof value === 'string') : [];
  }

  /** What exporters say of a metric; undefined where none says anything. Names no series. */
  async metadata(metric: string, limits: AskLimits = {}): Promise<{ type: string; help: string } | undefined> {
    const { data } = await this.#ask(limits, (driver) => driver.metadata(metric, 1));
    const said = fieldsOf(data)[metric];
    const { type, help } = fieldsOf(Array.isArray(said) ? said[0] : undefined);
    return typeof type === 'string' && typeof help === 'string' ? { type, help } : undefined;
  }

  async #ask(limits: AskLimits, call: Call): Promise<{ data: unknown; warnings: string[] }> {
    return answerIn((await this.#askBytes(limits, call)).toString());
  }

  /**
   * One call by the driver. Its own reading of answers makes a Date of each sample, takes +Inf for NaN and loses warnings, so the
   * answer is taken before it. Its errors hold the whole request with the bearer: none of them leaves here.
   */
  async #askBytes(
    { signal, deadlineMs = DEADLINE_MS, mostBytes = MOST_BYTES, mostSeries = MOST_SERIES }: AskLimits,
    call: Call,
  ): Promise<Buffer> {
    signal?.throwIfAborted();
    const deadline = AbortSignal.timeout(deadlineMs);
    let answer: Buffer | undefined;
    const driver = new PrometheusDriver({
      endpoint: this.#url,
      preferPost: true,
      timeout: deadlineMs,
      requestInterceptor: {
        onFulfilled: (config) => {
          this.#secure(config);
          config.signal = signal ? AbortSignal.any([signal, deadline]) : deadline;
          config.maxContentLength = mostBytes;
          config.responseType = 'arraybuffer';
          config.transformResponse = (bytes: Buffer, _headers: unknown, status = 0) =>
            status >= 200 && status < 300 ? bytes : jsonOf(bytes.toString());
          // Packing and unpacking takes longer than the way inside one network.
          config.headers.set('Accept-Encoding', 'identity');
          // One more than is allowed tells that there are more. Prometheus before 2.53 sends all of them.
          if (config.data instanceof URLSearchParams) config.data.append('limit', `${mostSeries + 1}`);
          return config;
        },
      },
      responseInterceptor: {
        onFulfilled: (response) => {
          answer = response.data;
          return { ...response, data: { status: 'success', data: NOTHING } };
        },
      },
    });
    try {
      await call(driver, `${deadlineMs}ms`);
    } catch (error) {
      if (answer === undefined) {
        signal?.throwIfAborted();
        throw refusalOf(error);
      }
    }
    if (answer === undefined) throw new PrometheusAway('there is no answer');
    return answer;
  }

  #secure(config: RequestConfig): void {
    // A bearer goes to Prometheus alone: neither to a proxy of the environment nor where a redirect leads.
    config.proxy = false;
    config.httpAgent = this.#httpAgent;
    config.maxRedirects = 0;
    config.httpsAgent = this.#agent;
    if (this.#tokenFile) config.headers.setAuthorization(`Bearer ${readFileSync(this.#tokenFile, 'utf8').trim()}`);
  }
}

/** The one finite number that an answer is; undefined if it is none, or several. */
export function onlyNumber({ series }: Answer<Sample>): number | undefined {
  const [first, ...rest] = series;
  return first && rest.length === 0 && Number.isFinite(first.value) ? first.value : undefined;
}

const NOTHING = { resultType: 'scalar', result: [] };
const REFUSING = [400, 422];

function refusalOf(error: unknown): Error {
  const { httpStatus, prometheus, error: text } = fieldsOf(error);
  const { errorType } = fieldsOf(prometheus);
  if (typeof text === 'string' && text.startsWith('maxContentLength')) return new AnswerTooLarge('too many bytes');
  // Prometheus answers 422 for what it cannot execute, too many samples among it, and 503 for what took too long.
  if (typeof httpStatus === 'number' && REFUSING.includes(httpStatus) && typeof errorType === 'string')
    return new QueryRefused(withoutHiddenPairs(`${text}`));
  return new PrometheusAway(typeof httpStatus === 'number' ? `Prometheus answers with ${httpStatus}` : `${text}`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function answerIn(text: string): { data: unknown; warnings: string[] } {
  const { status, data, warnings } = fieldsOf(jsonOf(text));
  if (status !== 'success') throw new PrometheusAway('the answer is not one of Prometheus');
  return { data, warnings: Array.isArray(warnings) ? warnings.map(String) : [] };
}

function upTo<T>(most: number, rows: T[]): T[] {
  if (rows.length > most) throw new AnswerTooLarge(`more than ${most} series`);
  return rows;
}

function rowsOf(result: unknown, { mostSeries = MOST_SERIES }: AskLimits): Record<string, unknown>[] {
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

/** Of `[time, "value"]`. */
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
function labelsOf(metric: unknown): Labels {
  const labels = fieldsOf(metric);
  for (const name in labels)
    if (typeof labels[name] !== 'string')
      return Object.fromEntries(Object.entries(labels).map(([label, value]) => [label, `${value}`]));
  return labels as Labels;
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
