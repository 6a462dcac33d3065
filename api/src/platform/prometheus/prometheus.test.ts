import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { selfSignedCertificate } from '../../../../test/support/self-signed-certificate.ts';
import { AnswerTooLarge, PrometheusAway, QueryRefused } from './decode-answer.ts';
import { onlyNumber, Prometheus } from './prometheus.ts';

let server: Server;
let reply: { status?: number; headers?: Record<string, string>; body?: string };
let heard: string[];
const listening = async (one: Server) => {
  one.listen(0, '127.0.0.1');
  await once(one, 'listening');
  return (one.address() as AddressInfo).port;
};
let prometheus: Prometheus;
beforeAll(async () => {
  server = createServer(async (req, res) => {
    heard.push(`${req.method} ${req.url} ${await text(req)}`);
    if (reply.body !== undefined) res.writeHead(reply.status ?? 200, reply.headers).end(reply.body);
  });
  prometheus = new Prometheus({ url: `http://127.0.0.1:${await listening(server)}/prom/` });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  heard = [];
});

const success = (data: object, more = {}) => JSON.stringify({ status: 'success', data, ...more });
const vector = (...values: unknown[]) =>
  success({ resultType: 'vector', result: values.map((value) => ({ metric: { a: 'b' }, value: [1, value] })) });
const RANGE = { start: 60_000, end: 240_000, stepMs: 60_000 };

describe('at one moment', () => {
  test.each(
    Object.entries<[string, unknown]>({
      'one value': [vector('1.5'), [{ labels: { a: 'b' }, value: 1.5 }]],
      'a scalar': [success({ resultType: 'scalar', result: [1, '7'] }), [{ labels: {}, value: 7 }]],
      none: [vector(), []],
      NaN: [vector('NaN'), [{ labels: { a: 'b' }, value: Number.NaN }]],
      infinity: [vector('+Inf'), [{ labels: { a: 'b' }, value: Number.POSITIVE_INFINITY }]],
      'minus infinity': [vector('-Inf'), [{ labels: { a: 'b' }, value: Number.NEGATIVE_INFINITY }]],
      'an empty text': [vector(''), [{ labels: { a: 'b' }, value: Number.NaN }]],
      'a number that is no text': [vector(3), [{ labels: { a: 'b' }, value: Number.NaN }]],
      'a histogram': [success({ resultType: 'vector', result: [{ metric: {}, histogram: [1, {}] }] }), []],
    }),
  )('%s', async (_name, [body, series]) => {
    reply = { body };
    expect(await prometheus.instant('up{a="&"}', 1_500, { mostSeries: 1 })).toEqual({ series, warnings: [] });
    expect(heard).toEqual(['POST /prom/api/v1/query query=up%7Ba%3D%22%26%22%7D&time=1.5&timeout=10000ms&limit=2']);
  });

  test('a partial answer says so', async () => {
    reply = { body: success({ resultType: 'vector', result: [] }, { warnings: ['one store is away'] }) };
    expect(await prometheus.instant('up', 1_000)).toEqual({ series: [], warnings: ['one store is away'] });
  });

  test('one finite number is told from everything else', () => {
    const of = (...values: number[]) =>
      onlyNumber({ series: values.map((value) => ({ labels: {}, value })), warnings: [] });
    expect([of(1), of(), of(1, 2), of(Number.NaN), of(Number.POSITIVE_INFINITY)]).toEqual([
      1,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

test('over a range each step has its point, and a step without a sample has null', async () => {
  const values = [
    [60, '1'],
    [120, 'NaN'],
    [240, '0'],
    [300, '9'],
  ];
  reply = { body: success({ resultType: 'matrix', result: [{ metric: { pod: 'a-1' }, values }] }) };
  expect(await prometheus.range('up', RANGE)).toEqual({
    series: [{ labels: { pod: 'a-1' }, points: [1, null, null, 0] }],
    warnings: [],
  });
  expect(heard).toEqual(['POST /prom/api/v1/query_range query=up&start=60&end=240&step=60&timeout=10000ms&limit=1001']);
});

describe('an answer is read the same, whether as Prometheus writes it or as any other JSON', () => {
  const pod = { pod: 'a' };
  const text = '},"values":[[60,"1"]]},{"metric":{"pod":"b"},"value":[60,"2"]}';
  const matrices: Record<string, object[]> = {
    none: [],
    'steps that are missing': [
      {
        metric: pod,
        values: [
          [120, '1.5'],
          [240, '-2'],
        ],
      },
    ],
    'the first and the last step alone': [
      { metric: pod, values: [[60, '0.1']] },
      { metric: {}, values: [[240, '7']] },
    ],
    'no numbers': [
      {
        metric: pod,
        values: [
          [60, 'NaN'],
          [120, '+Inf'],
          [180, '-Inf'],
          [240, '5'],
        ],
      },
    ],
    'large and small numbers': [
      {
        metric: pod,
        values: [
          [60, '1e+21'],
          [120, '1.5e-07'],
          [180, '123456789.125'],
        ],
      },
    ],
    'parts of a second': [
      {
        metric: pod,
        values: [
          [60.001, '1'],
          [119.999, '2'],
          [180.5, '3'],
        ],
      },
    ],
    'samples out of order, twice, and outside of the range': [
      {
        metric: pod,
        values: [
          [180, '3'],
          [120, '2'],
          [120, '4'],
          [0, '5'],
          [300, '6'],
        ],
      },
    ],
    'what is no number of JSON': [
      {
        metric: pod,
        values: [
          [60, '1.'],
          [120, '.5'],
          [180, '--1'],
          [240, ''],
        ],
      },
    ],
    'a histogram': [
      { metric: pod, histograms: [[60, {}]] },
      { metric: { pod: 'b' }, values: [[60, '1']] },
    ],
    both: [{ metric: pod, values: [[60, '1']], histograms: [[120, {}]] }],
    'no sample': [{ metric: pod, values: [] }],
    'labels that look like an answer': [
      { metric: { text, '"': '\\"', 模型: '模\u2028型' }, values: [[60, '1']] },
      { metric: { text }, values: [[60, '2']] },
    ],
    'a label that is no text': [{ metric: { pod: 1 }, values: [[60, '1']] }],
    'a long label': [{ metric: { pod: 'x'.repeat(50_000) }, values: [[60, '1']] }],
  };
  test.each(Object.entries(matrices))('over a range: %s', async (_name, result) => {
    const body = success({ resultType: 'matrix', result });
    reply = { body };
    const quick = await prometheus.range('up', RANGE);
    reply = { body: `${body}\n` };
    expect(quick).toEqual(await prometheus.range('up', RANGE));
    expect(quick.series).toHaveLength(result.length);
  });

  test.each<[string, object[]]>([
    ['none', []],
    [
      'values',
      [
        { metric: pod, value: [1, '1'] },
        { metric: {}, value: [1.5, 'NaN'] },
        { metric: pod, value: [1, '-Inf'] },
      ],
    ],
    [
      'labels that look like an answer',
      [
        { metric: { text, '"': '\\"' }, value: [1, '1'] },
        { metric: { text }, value: [1, '2'] },
      ],
    ],
    [
      'a histogram between others',
      [
        { metric: pod, value: [1, '1'] },
        { metric: {}, histogram: [1, {}] },
        { metric: pod, value: [1, '2'] },
      ],
    ],
  ])('at one moment: %s', async (_name, result) => {
    const body = success({ resultType: 'vector', result });
    reply = { body };
    // The second time, labels are known.
    for (const quick of [await prometheus.instant('up', 1_000), await prometheus.instant('up', 1_000)]) {
      reply = { body: `${body}\n` };
      expect(quick).toEqual(await prometheus.instant('up', 1_000));
      reply = { body };
    }
  });

  test('warnings, and more series than are allowed', async () => {
    const result = [
      { metric: pod, values: [[60, '1']] },
      { metric: {}, values: [[60, '1']] },
    ];
    reply = { body: success({ resultType: 'matrix', result }, { warnings: ['one store is away'] }) };
    expect(await prometheus.range('up', RANGE)).toMatchObject({ warnings: ['one store is away'], series: [{}, {}] });
    reply = { body: success({ resultType: 'matrix', result }) };
    await expect(prometheus.range('up', RANGE, { mostSeries: 1 })).rejects.toThrow(AnswerTooLarge);
    reply = { body: success({ resultType: 'matrix', result }).slice(0, -1) };
    await expect(prometheus.range('up', RANGE)).rejects.toThrow(PrometheusAway);
  });
});

test('label sets, values of a label and what a metric means', async () => {
  reply = { body: success([{ __name__: 'up', job: 'x' }]) };
  expect(await prometheus.series(['{namespace="org-a"}'], 1_000, 2_000)).toEqual([{ __name__: 'up', job: 'x' }]);
  reply = { body: success(['a', 'b'] as never) };
  expect(await prometheus.labelValues('pod', '{namespace="org-a"}', 1_000, 2_000)).toEqual(['a', 'b']);
  reply = { body: success({ up: [{ type: 'gauge', help: 'It answers.', unit: '' }] }) };
  expect(await prometheus.metadata('up')).toEqual({ type: 'gauge', help: 'It answers.' });
  expect(await prometheus.metadata('down')).toBeUndefined();
  await expect(prometheus.labelValues('../x', '{}', 1_000, 2_000)).rejects.toThrow('is no label');
});

test('a refusal names no server of the platform', async () => {
  const error =
    'found duplicate series: [{__name__="x", instance="10.0.0.1:9400", job="a\\"b", pod="p"}, {id="/kubepods"}]';
  reply = { status: 422, body: JSON.stringify({ status: 'error', errorType: 'execution', error }) };
  await expect(prometheus.instant('x', 1_000)).rejects.toThrow(
    new QueryRefused('found duplicate series: [{__name__="x", pod="p"}, {}]'),
  );
});

describe('an answer that is none', () => {
  const rows: Record<string, [typeof reply, new (message: string) => Error]> = {
    'a refusal': [{ status: 400, body: '{"status":"error","errorType":"bad_data","error":"no"}' }, QueryRefused],
    'what it cannot execute': [
      { status: 422, body: '{"status":"error","errorType":"execution","error":"too many samples"}' },
      QueryRefused,
    ],
    'its own limit of time': [
      { status: 503, body: '{"status":"error","errorType":"timeout","error":"t"}' },
      PrometheusAway,
    ],
    'a fault of it': [{ status: 500, body: '{}' }, PrometheusAway],
    'a refusal by somebody between': [{ status: 400, body: '<html>' }, PrometheusAway],
    'a page': [{ body: '<html>' }, PrometheusAway],
    null: [{ body: 'null' }, PrometheusAway],
    'a matrix': [{ body: '{"status":"success","data":{"resultType":"matrix","result":[]}}' }, QueryRefused],
    'a redirect': [{ status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: '' }, PrometheusAway],
    'too many bytes': [{ body: ' '.repeat(70_000) }, AnswerTooLarge],
    'too many series': [{ body: vector('1', '2', '3') }, AnswerTooLarge],
    'none in time': [{}, PrometheusAway],
  };
  test.each(Object.entries(rows))('%s', async (_name, [one, kind]) => {
    reply = one;
    const limits = { mostBytes: 64 * 1024, mostSeries: 2, deadlineMs: one.body === undefined ? 200 : 10_000 };
    await expect(prometheus.instant('up', 1_000, limits)).rejects.toThrow(kind);
  });

  test('a caller who has gone gets their own reason', async () => {
    reply = {};
    const caller = new AbortController();
    const asking = prometheus.instant('up', 1_000, { signal: caller.signal });
    caller.abort(new Error('gone'));
    await expect(asking).rejects.toThrow('gone');
  });

  test('nobody listens', async () => {
    const closed = new Prometheus({ url: 'http://127.0.0.1:1' });
    await expect(closed.instant('up', 1_000)).rejects.toThrow(PrometheusAway);
  });
});

test('over TLS it trusts its authority alone, shows our certificate, and the bearer is in no error', async () => {
  const { cert, key } = selfSignedCertificate();
  const folder = await mkdtemp(join(tmpdir(), 'gantry-prometheus-'));
  const file = async (name: string, content: string) => {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };
  const seen: unknown[] = [];
  const tls = createTlsServer({ cert, key, ca: cert, requestCert: true }, (req, res) => {
    seen.push([req.headers.authorization, (req.socket as import('node:tls').TLSSocket).authorized]);
    res.writeHead(seen.length === 1 ? 200 : 403).end(vector('1'));
  });
  const url = `https://127.0.0.1:${await listening(tls)}`;
  const files = {
    tokenFile: await file('token', 'very-secret\n'),
    caFile: await file('ca', cert),
    certFile: await file('cert', cert),
    keyFile: await file('key', key),
  };
  const known = new Prometheus({ url, ...files });
  expect(onlyNumber(await known.instant('up', 1_000))).toBe(1);
  const refused: unknown = await known.instant('up', 1_000).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(PrometheusAway);
  expect(JSON.stringify(refused, Object.getOwnPropertyNames(refused))).not.toContain('very-secret');
  await expect(new Prometheus({ url }).instant('up', 1_000)).rejects.toThrow(PrometheusAway);
  expect(seen).toEqual([
    ['Bearer very-secret', true],
    ['Bearer very-secret', true],
  ]);
  tls.closeAllConnections();
  tls.close();
  await rm(folder, { recursive: true });
});

describe('a range whose answer would grow', () => {
  // As the server answers `count_values("t", vector(time()))`: out of no series, one for each step, with one sample each.
  const STEPS = 8_065;
  const WEEK = { start: 60_000, end: 60_000 + (STEPS - 1) * 75_000, stepMs: 75_000 };
  const grown = success({
    resultType: 'matrix',
    result: Array.from({ length: STEPS }, (_, at) => ({ metric: { t: `${at}` }, values: [[60 + at * 75, '1']] })),
  });

  test.each(['range', 'rangeText', 'past'] as const)('is refused by %s, however few samples it has', async (ask) => {
    reply = { body: grown };
    const limits = { mostSeries: 200_000, mostBytes: 128 * 1024 * 1024 };
    await expect(prometheus[ask]('up', WEEK, limits)).rejects.toThrow(AnswerTooLarge);
    expect(heard).toEqual([expect.stringContaining(`limit=${Math.floor(500_000 / STEPS) + 1}`)]);
  });

  test('is not asked for where its steps alone are too many', async () => {
    await expect(prometheus.range('up', WEEK, { mostPoints: STEPS - 1 })).rejects.toThrow(AnswerTooLarge);
    expect(heard).toEqual([]);
  });

  const within = success({
    resultType: 'matrix',
    result: Array.from({ length: 40 }, (_, at) => ({
      metric: { t: `${at}` },
      values: Array.from({ length: 200 }, (__, step) => [60 + step * 75, step === 7 ? 'NaN' : '2']),
    })),
  });

  test('is read beside the loop, and says the same there', async () => {
    const range = { ...WEEK, end: WEEK.start + 199 * 75_000 };
    reply = { body: within };
    const { series } = await prometheus.range('up', range);
    expect(series).toHaveLength(40);
    expect(series[3]).toEqual({
      labels: { t: '3' },
      points: Array.from({ length: 200 }, (_, at) => (at === 7 ? null : 2)),
    });
    const past = await prometheus.past('up', range);
    expect(past.series.map(({ points }) => [...points].map((one) => (Number.isNaN(one) ? null : one)))).toEqual(
      series.map(({ points }) => points),
    );
  });

  test('in a form that is not Prometheus’s is refused too', async () => {
    reply = { body: `${grown}\n` };
    await expect(prometheus.range('up', WEEK)).rejects.toThrow(AnswerTooLarge);
    reply = { body: 'x'.repeat(100_000) };
    await expect(prometheus.range('up', WEEK)).rejects.toThrow(PrometheusAway);
  });
});
