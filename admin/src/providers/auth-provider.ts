// The signed-in person, for react-admin: the session is ours, and the permission nodes say what the person's roles open.
import type { Api } from '@gantry/ui/client/api.ts';
import { readToken } from '@gantry/ui/session/session.ts';
import type { AuthProvider } from 'react-admin';
import { loginPath } from '../login/login-path.ts';
import { endSession, logOut } from '../shell/end-session.ts';

export interface Staff {
  readonly id: string;
  readonly name: string;
  /** Nodes of the roles: `manage/user`, and the ids of routes. */
  readonly nodes: ReadonlySet<string>;
}

/** The element that a page of a resource needs, besides its menu. */
export type NeededNode = (resource: string, action: string) => string | undefined;

export function staffAuth(api: Api, staff: Staff, needed: NeededNode): AuthProvider {
  const loginHere = () => loginPath(location.pathname + location.search);
  return {
    login: () => Promise.reject(new Error('the sign-in is a page of its own')),
    async logout() {
      if (readToken() === undefined) return loginHere();
      await logOut(api);
      return false;
    },
    async checkAuth() {
      if (readToken() === undefined) throw { redirectTo: loginHere(), message: false };
    },
    async checkError({ status }: { status?: number }) {
      if (status !== 401) return;
      endSession(loginHere());
      // A rejection would make react-admin resolve the refused call with `{ data: {} }`, as if it had been accepted.
      await new Promise(() => {});
    },
    getIdentity: async () => ({ id: staff.id, fullName: staff.name }),
    getPermissions: async () => staff.nodes,
    async canAccess({ resource, action }) {
      const menu = resource.split('/').slice(0, 2).join('/');
      if (menu.startsWith('manage/') && !staff.nodes.has(menu)) return false;
      const node = needed(resource, action);
      return node === undefined || staff.nodes.has(node);
    },
  };
}
