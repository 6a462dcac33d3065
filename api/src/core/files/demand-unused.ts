// Whether something uses what is to be deleted, and who: in other organisations it is nobody's business.
import { problem } from '@gantry/contract/http/problem.ts';
import type { Caller } from '../../platform/http/caller.ts';

export interface User {
  organizationId: string;
  name: string;
}

/** In a refusal. */
const MOST_NAMED = 5;

/** Throws model_in_use, which names users of the caller's organisation. */
export function demandUnused({ organization }: Caller, users: readonly User[]): void {
  if (users.length === 0) return;
  const own = users.filter(({ organizationId }) => organizationId === organization.id).map(({ name }) => name);
  const others = users.length - own.length;
  const named = [...own.slice(0, MOST_NAMED), ...(others + own.slice(MOST_NAMED).length > 0 ? ['…'] : [])];
  throw problem('model_in_use', { users: named.join(', ') });
}
