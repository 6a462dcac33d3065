// The input of a long form, kept for this tab: a page that is reloaded, or left to pay, continues with it. Each organisation and
// person has their own; it is deleted at logout, and when somebody else logs in.
import { readAccountId, readOrganizationId } from '@gantry/ui/session/session.ts';
import { keepInTab, keptInTab } from './kept-in-tab.ts';

const PREFIX = 'gantry_draft_';

interface Draft {
  readonly values: object;
  readonly path: string;
  /** Values from its address. */
  readonly search: string;
}

/** The storage key of that form for the person who is logged in. */
export const draftKey = (form: string): string =>
  `${PREFIX}${form}_${readOrganizationId() ?? ''}_${readAccountId() ?? ''}`;

export const keepDraft = (key: string, draft: Draft): void => keepInTab(key, draft);

export const dropDraft = (key: string): void => sessionStorage.removeItem(key);

const read = (key: string) => keptInTab<Draft>(key);

/**
 * Undefined if there is none, or if the address brings other values: a link's values win. Missing fields are as in `first`,
 * except numbers: a removed one stays removed.
 */
export function keptDraft<Values extends object>(key: string, search: string, first: Values): Values | undefined {
  const draft = read(key);
  if (!draft || (search !== '' && search !== draft.search)) return undefined;
  const values = draft.values as Partial<Values>;
  return Object.fromEntries(
    Object.entries(first).map(([name, value]) => [
      name,
      values[name as keyof Values] ?? (typeof value === 'number' ? undefined : value),
    ]),
  ) as Values;
}

/** The address of a form that was left before it was sent. */
export function wayToDraft(form: string): string | undefined {
  const draft = read(draftKey(form));
  return draft && draft.path + draft.search;
}

/** All but those of the person who is logged in: if nobody is, all. */
export function forgetOthersDrafts(): void {
  const account = readAccountId();
  for (const key of Object.keys(sessionStorage)) {
    const isOwn = account !== undefined && key.endsWith(`_${account}`);
    if (key.startsWith(PREFIX) && !isOwn) sessionStorage.removeItem(key);
  }
}
