// What was opened from the search before, in this tab alone: titles may be people's names, which stay on no shared machine.
import type { SearchResult } from '@gantry/contract/http/admin-home.ts';

type Group = SearchResult['groups'][number];
export interface Find extends Pick<Group, 'resource'> {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

const KEY = 'gantry_admin_finds';
const MOST = 8;

export function readFinds(): Find[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? (kept as Find[]).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export function keepFind(find: Find): void {
  const others = readFinds().filter(({ resource, id }) => resource !== find.resource || id !== find.id);
  sessionStorage.setItem(KEY, JSON.stringify([find, ...others].slice(0, MOST)));
}
