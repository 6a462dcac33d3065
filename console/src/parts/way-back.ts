// The place that somebody left in order to pay, for this tab: their payment leads back there.
import { draftKey, dropDraft } from './draft.ts';
import { keepInTab, keptInTab } from './kept-in-tab.ts';

/** Deleted with the drafts, at logout. */
const keyOf = () => draftKey('way_back');

interface WayBack {
  readonly way: string;
  /** The payment that leads back. */
  readonly payment?: string;
}

const read = () => keptInTab<WayBack>(keyOf());

export const keepWayBack = (way: string): void => keepInTab(keyOf(), { way });

export function payOnWayBack(payment: string): void {
  const kept = read();
  if (kept) keepInTab(keyOf(), { way: kept.way, payment });
}

export function wayBackFrom(payment: string): string | undefined {
  const kept = read();
  return kept?.payment === payment ? kept.way : undefined;
}

export const forgetWayBack = (): void => dropDraft(keyOf());
