// Asks Prometheus. What it is asked has been confined already, or is the platform's own. It answers whole and in time or not at all:
// an answer that is missing is neither 0 nor "no series".
import { readFileSync } from 'node:fs';
import { Agent as HttpAgent } from 'node:http';
import { Agent } from 'node:https';
import { setImmediate as breath } from 'node:timers/promises';
import { PrometheusDriver } from 'prometheus-query';
import { aside, taskIn } from '../aside/aside.ts';
import type { past, rangeText } from './answer-tasks.ts';
import {
  type Answer,
  AnswerTooLarge,
  answerIn,
  decodeInstant,
  decodeRange,
  fieldsOf,
  jsonOf,
  type Labels,
  labelsOf,
  type PastSeries,
  PrometheusAway,
  QueryRefused,
  type Range,
  rowsOf,
  type Sample,
  type Series,
  type SeriesText,
} from './decode-answer.ts';
import { withoutHiddenPairs } from './hidden-labels.ts';
import { LabelTexts } from './label-texts.ts';

export interface PrometheusOptions {
  url: string;
  /** Sent as a bearer. Read anew for each call, because such files rotate. */
  tokenFile?: string;
  /** PEM files for TLS: whom to trust, and who we are. */
  caFile?: string;
  certFile?: string;
  keyFile?: string;
}

export interface AskLimits {
  signal?: AbortSignal | undefined;
  /** 10 s where absent. */
  deadlineMs?: number;
  /** The most bytes of the answer's text; 8 MiB if absent. */
  mostBytes?: number;
  /** 1,000 where absent. */
  mostSeries?: number;
  /** The most points of all series of a range together: one for each step, whether there is a sample or not. 500,000 if absent. */
  mostPoints?: number;
  /** The lane in which a large answer waits for its turn; the platform's if absent. */
  lane?: string;
}

const DEADLINE_MS = 10_000;
const MOST_BYTES = 8 * 1024 * 1024;
const MOST_SERIES = 1_000;
const MOST_POINTS = 500_000;
/** The largest text of samples that is read on this thread; it takes some milliseconds. */
const MOST_READ_HERE = 64 * 1024;

type Call = (driver: PrometheusDriver, timeout: string) => Promise<unknown>;
type Interceptor = NonNullable<ConstructorParameters<typeof PrometheusDriver>[0]['requestInterceptor']>['onFulfilled'];
type RequestConfig = Parameters<Interceptor>[0];

export class Prometheus {
  readonly #url: string;
  readonly #tokenFile: string | undefined;
  readonly #httpAgent = new HttpAgent({ keepAlive: true });
  readonly #agent: Agent | undefined;
  readonly #labels = new LabelTexts();
  readonly #read = (text: string): Labels | undefined => this.#labels.of(text);

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
    const steps = decodeInstant(bytes, limits.mostSeries ?? MOST_SERIES, this.#read);
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      await breath();
    }
  }

  /** At each step of a range. */
  async range(query: string, range: Range, limits: AskLimits = {}): Promise<Answer<Series>> {
    const { series, warnings } = await this.rangeText(query, range, limits);
    return { series: series.map(({ labels, points }) => ({ labels, points: JSON.parse(points) })), warnings };
  }

  /** The same, its points as a text: most of them are only passed on. */
  async rangeText(query: string, range: Range, limits: AskLimits = {}): Promise<Answer<SeriesText>> {
    const { bytes, mostSeries } = await this.#askRange(query, range, limits);
    if (bytes.length <= MOST_READ_HERE) return decodeRange(bytes, range, mostSeries, this.#read);
    return this.#beside(() => aside.run(RANGE_TEXT, [bytes, range, mostSeries], sending(bytes, limits)));
  }

  /** The same as numbers, for calculations that are done beside the loop too. */
  async past(query: string, range: Range, limits: AskLimits = {}): Promise<Answer<PastSeries>> {
    const { bytes, mostSeries } = await this.#askRange(query, range, limits);
    return this.#beside(() => aside.run(PAST, [bytes, range, mostSeries], sending(bytes, limits)));
  }

  /** The label sets of series that match any of these selectors. */
  async series(selectors: readonly string[], start: number, end: number, limits: AskLimits = {}): Promise<Labels[]> {
    const { data } = await this.#ask(limits, (driver) => driver.series([...selectors], start, end));
    return rowsOf(data, limits.mostSeries ?? MOST_SERIES).map((row) => labelsOf(row));
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

  /** The type and help that exporters state for a metric; undefined if none does. Names no series. */
  async metadata(metric: string, limits: AskLimits = {}): Promise<{ type: string; help: string } | undefined> {
    const { data } = await this.#ask(limits, (driver) => driver.metadata(metric, 1));
    const said = fieldsOf(data)[metric];
    const { type, help } = fieldsOf(Array.isArray(said) ? said[0] : undefined);
    return typeof type === 'string' && typeof help === 'string' ? { type, help } : undefined;
  }

  /** A tenant chooses how many series there are, and how many steps: what they are together is known before anybody is asked. */
  async #askRange(query: string, range: Range, limits: AskLimits): Promise<{ bytes: Buffer; mostSeries: number }> {
    const { start, end, stepMs } = range;
    const steps = Math.floor((end - start) / stepMs) + 1;
    const { mostSeries: most = MOST_SERIES, mostPoints = MOST_POINTS } = limits;
    const mostSeries = Math.min(most, Math.floor(mostPoints / steps));
    if (mostSeries < 1) throw new AnswerTooLarge(`more than ${mostPoints} points`);
    const bytes = await this.#askBytes({ ...limits, mostSeries }, (driver) =>
      driver.rangeQuery(query, start, end, stepMs / 1_000, `${limits.deadlineMs ?? DEADLINE_MS}ms`),
    );
    return { bytes, mostSeries };
  }

  /** Errors that left their thread have lost their class. */
  async #beside<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const { name, message } = error as Error;
      throw name === 'AnswerTooLarge'
        ? new AnswerTooLarge(message)
        : name === 'PrometheusAway'
          ? new PrometheusAway(message)
          : name === 'TooMuchWork'
            ? new AnswerTooLarge(message, { cause: error })
            : error;
    }
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

const TASKS = new URL('answer-tasks.ts', import.meta.url);
const RANGE_TEXT = taskIn<typeof rangeText>(TASKS, 'rangeText');
const PAST = taskIn<typeof past>(TASKS, 'past');
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

/** For a thread, which takes the bytes where they have a buffer of their own. */
const sending = (bytes: Buffer, { lane = 'platform' }: AskLimits) => ({
  lane,
  transfer: bytes.buffer.byteLength === bytes.byteLength ? [bytes.buffer as ArrayBuffer] : [],
});
