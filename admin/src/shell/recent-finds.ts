// Finds that this account opened from the search before, in this tab and this session alone: titles may be people's names, which stay on no
// shared machine.
import type { SearchResult } from '@gantry/contract/areas/admin/admin-home.ts';
import { readAccountId } from '@gantry/ui/session/session.ts';

type Group = SearchResult['groups'][number];
export interface Find extends Pick<Group, 'resource'> {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

const PREFIX = 'gantry_admin_finds';
const MOST = 8;

const keyHere = (): string => `${PREFIX}.${readAccountId() ?? ''}`;

export function readFinds(): Find[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyHere()) ?? '[]');
    return Array.isArray(kept) ? (kept as Find[]).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export function keepFind(find: Find): void {
  const others = readFinds().filter(({ resource, id }) => resource !== find.resource || id !== find.id);
  sessionStorage.setItem(keyHere(), JSON.stringify([find, ...others].slice(0, MOST)));
}

/** Forgets the finds of every account: the session is over. */
export function forgetFinds(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
}
