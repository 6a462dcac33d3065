// Somebody who is not signed in, to whom the rules of models and datasets apply as to any organisation that owns none of them: whatever
// is not shown to everybody does not exist.
import type { Caller } from '../../platform/http/caller.ts';

export const VISITOR: Caller = {
  account: { id: '', name: '', email: null, locale: 'en', platformRoles: [] },
  organization: { id: '', role: 'viewer', namespace: '' },
  session: { id: '', kind: 'session', scopes: ['view'], expiresAt: 0 },
};
