// The requests of a deployment, as people see them: statistics of its tokens, and that there are none.
import { answerOf, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { words as metrics } from '../../parts/metrics/words/en.ts';
import { words as parts } from '../../parts/words/en.ts';
import { DeploymentRequests } from './deployment-requests.tsx';
import { words as deployment } from './words/en.ts';

const NONE = { requests: 0, ok: 0, client_errors: 0, server_errors: 0, bytes_in: 0, bytes_out: 0 };
const UNTIMED = { p50_ms: null, p95_ms: null, p99_ms: null };
const QUIET = {
  ...{ step_seconds: 15, end_time: '2026-11-27T10:00:00Z', steps: [] },
  now: { in_flight: 0, waiting: 0, requests_per_second: 0, last_request_time: null },
  hour: { ...NONE, ...UNTIMED, checks: 0, wakes: 0 },
};
const fetched = playNetwork();
const show = (traffic: object) => {
  fetched.mockImplementation(async () => answerOf(traffic));
  render(<DeploymentRequests id="dep-1" />, {
    wrapper: appAround({ 'model-deployments': deployment, metrics, parts }),
  });
};
/** The value beside the name of a fact. */
const factOf = async (label: string) => (await screen.findByText(label)).nextElementSibling?.textContent;

test('a deployment shows its requests, its queue, its speed, its first token and what came from a cache', async () => {
  show({
    ...QUIET,
    now: { in_flight: 3, waiting: 2, requests_per_second: 1.5, last_request_time: '2026-11-27T09:59:00Z' },
    hour: { ...QUIET.hour, requests: 10, ok: 9, server_errors: 1 },
    tokens: { per_second: 12.5, prompt: 400, cached: 100, completion: 120, first_p50_ms: 80, first_p95_ms: 290.456 },
  });
  expect(await factOf(deployment.tokens.speed)).toBe('12.5 tokens per second');
  expect(await factOf(deployment.tokens.first)).toBe('80 ms / 290.46 ms');
  expect(await factOf(deployment.tokens.cached)).toBe('25% of the input');
  expect(await factOf(deployment.tokens.written)).toBe('120 tokens');
  expect(await factOf(metrics.traffic.waiting)).toBe('2');
  expect(await factOf(metrics.traffic.count)).toBe('10: 9 answered, 0 with 4xx, 1 with 5xx');
});

test('a deployment that nobody asked in the last hour has no data instead of zeros', async () => {
  show({ ...QUIET, tokens: null });
  const { speed, first, cached, read, written, none } = deployment.tokens;
  for (const label of [speed, first, cached, read, written]) expect(await factOf(label)).toBe(none);
});
