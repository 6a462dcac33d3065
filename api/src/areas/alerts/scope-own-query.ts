// Confines a query that a tenant wrote for a policy to its namespace, or says why not.
import { type ProblemCode, problemSentence } from '@gantry/contract/http/problem.ts';
import { scopeQuery } from '../../platform/prometheus/scope-query.ts';

type Refused = { refused: string; problem: [ProblemCode, { at: number }] };

export function scopeOwnQuery(query: string, namespace: string): { query: string } | Refused {
  const answer = scopeQuery(query, namespace);
  if ('query' in answer) return answer;
  const why: Refused['problem'] = [`monitor_query_${answer.refused}`, { at: answer.at + 1 }];
  return { refused: problemSentence(why[0], 'en', why[1]), problem: why };
}
