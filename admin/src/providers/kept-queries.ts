// Saved queries go with the person to every browser: react-admin's store, whose saved queries are also kept by the server. Everything
// else of the store, such as the width of the sidebar, is this browser's.
import type { Preferences } from '@gantry/contract/areas/admin/admin-home.ts';
import type { Store } from 'react-admin';
import { resourceOf, TABLE_NAMES, tableNameOf } from '../tables.ts';
import type { AdminCalls } from './data-provider.ts';

const SUFFIX = '.savedQueries';
const AFTER_MS = 500;

interface Keeping {
  /** The preferences that the server has. */
  preferences: Preferences;
  save(preferences: Preferences): Promise<unknown>;
  onFailed(error: Error): void;
}

/** Null where the server does not say: then nothing is written there, either. */
export const readPreferences = (data: Pick<AdminCalls, 'ask'>): Promise<Preferences | null> =>
  data.ask<Preferences>('preferences').catch(() => null);

/** Writes once things have been quiet for a moment; the newest wins. */
export function keptQueries(local: Store, { preferences, save, onFailed }: Keeping): Store {
  let kept: Record<string, unknown> = { ...preferences.saved_queries };
  let timer: ReturnType<typeof setTimeout> | undefined;
  for (const name of TABLE_NAMES) local.setItem(`${resourceOf(name)}${SUFFIX}`, kept[name] ?? []);
  return {
    ...local,
    setItem(key, value) {
      local.setItem(key, value);
      if (!key.endsWith(SUFFIX)) return;
      kept = { ...kept, [tableNameOf(key.slice(0, -SUFFIX.length))]: value };
      clearTimeout(timer);
      timer = setTimeout(() => void save({ saved_queries: kept } as Preferences).catch(onFailed), AFTER_MS);
    },
  };
}
