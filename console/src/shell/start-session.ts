// The steps before the first page of a person with a token: finds the organisation, and refreshes the token.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { Api } from '@gantry/ui/client/api.ts';
import { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import { readOrganizationId, storeSession } from '@gantry/ui/session/session.ts';
import { isViewing } from '@gantry/ui/session/view-session.ts';
import { hasOpenShell } from '../parts/open-shells.ts';

const LOCK = 'gantry-session';

/**
 * Tabs that start together take turns: each goes on with the token that the one before it got. A view of staff is one tab's, and its
 * token stays.
 */
export async function startSession(api: Api): Promise<void> {
  if (isViewing()) return;
  await ('locks' in navigator ? navigator.locks.request(LOCK, () => refresh(api)) : refresh(api));
}

async function refresh(api: Api): Promise<void> {
  const known = readOrganizationId();
  // A terminal of another tab would end with the session that this one replaces.
  if (known !== undefined && (await hasOpenShell()) && (await ownOrganization(api)) === known) return;
  const session = await switchTo(api, known ?? (await ownOrganization(api))).catch(async (error: unknown) => {
    // A person who has left their last organisation has others.
    if (known === undefined || !(error instanceof ApiProblem) || error.status !== 404) throw error;
    return await switchTo(api, await ownOrganization(api));
  });
  const { token, account_id: accountId, org_id: organizationId, expires_at } = session;
  storeSession({ token, accountId, organizationId }, expires_at);
}

const switchTo = (api: Api, org_id: string) => api.call(CALLS.switchOrganization, { body: { org_id } });

const ownOrganization = async (api: Api): Promise<string> => (await api.call(CALLS.getMyOrganization, {})).org_id;
