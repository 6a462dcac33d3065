// The problems that callers are told about Prometheus.
import { problem } from '@gantry/contract/http/problem.ts';
import { AnswerTooLarge, PrometheusAway, QueryRefused } from './decode-answer.ts';

const AWAY_SECONDS = 15;
/** The problem for a query that Prometheus has not answered. */
export function problemOf(error: unknown): unknown {
  if (error instanceof PrometheusAway)
    return problem('monitor_away', { seconds: AWAY_SECONDS }, { retryAfterSeconds: AWAY_SECONDS, cause: error });
  if (error instanceof AnswerTooLarge) return problem('monitor_too_much', {}, { cause: error });
  // Prometheus's words are about the query itself, with our matcher in it, which is the organisation's own name.
  if (error instanceof QueryRefused)
    return problem('monitor_refused', { why: error.message.slice(0, 500) }, { cause: error });
  return error;
}
