// Switching to another organisation: with a token for it, everything on screen is reloaded.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { storeSession } from '@gantry/ui/session/session.ts';

const HOME = '/home';

export function useEnterOrganization() {
  const api = useApi();
  const tokenFor = async (org_id: string) => {
    const made = await api.call(CALLS.switchOrganization, { body: { org_id } });
    return () =>
      storeSession({ token: made.token, accountId: made.account_id, organizationId: made.org_id }, made.expires_at);
  };
  return {
    enter: async (id: string, path = '/manage/organization'): Promise<void> => {
      const store = await tokenFor(id);
      store();
      location.assign(path);
    },
    /**
     * Leaves `id` with `end`, then switches to another organisation. The new token comes first, because nobody would issue one
     * afterwards; the old token lives on for a minute, in which `end` is called.
     */
    leaveBy: async (id: string, end: () => Promise<unknown>): Promise<void> => {
      const { items } = await api.call(CALLS.listOrganizations, {});
      const other = items.find(({ org_id }) => org_id !== id);
      const enterOther = other && (await tokenFor(other.org_id));
      try {
        await end();
      } catch (error) {
        // One stays: with a token that lives longer than the minute.
        const stay = await tokenFor(id).catch(() => undefined);
        stay?.();
        throw error;
      }
      enterOther?.();
      location.assign(HOME);
    },
  };
}
