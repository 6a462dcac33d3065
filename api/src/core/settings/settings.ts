// Settings and features as staff list and change them. What is written counts here at once, on other gateways within seconds.

import { SETTING_NAMES, type SettingName } from '@gantry/contract/areas/settings/admin-operation.ts';
import type { Feature } from '@gantry/contract/features.ts';
import { FEATURE_NAMES } from '@gantry/contract/features.ts';
import type { AdminQuery, AdminRow } from '@gantry/contract/http/admin.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { eq } from 'drizzle-orm';
import type { Page } from '../../platform/db/list-pages.ts';
import { pageInMemory } from '../../platform/db/memory-page.ts';
import type { Database } from '../../platform/db/open.ts';
import { changedSettings, featureSwitches } from '../../platform/db/schema/operation.ts';
import type { RunTimeState, Texts } from './run-time-state.ts';

export interface SettingsParts {
  db: Database;
  clock: Clock;
  state: RunTimeState<object>;
  /** The options as texts. */
  installed: Readonly<Record<SettingName, string>>;
  /** Throws a problem of the setting's. */
  check(name: SettingName, text: string): void;
}

type SettingRow = AdminRow<'settings'>;
type FeatureRow = AdminRow<'features'>;

export class Settings {
  readonly #parts: SettingsParts;

  constructor(parts: SettingsParts) {
    this.#parts = parts;
  }

  settings(query: AdminQuery): Page<SettingRow> {
    const rows = SETTING_NAMES.map((name) => this.setting(name));
    return pageInMemory(rows, query, plain(), (row) => row);
  }

  features(query: AdminQuery): Page<FeatureRow> {
    const rows = FEATURE_NAMES.map((name) => this.feature(name));
    return pageInMemory(rows, query, plain(), (row) => row);
  }

  /** Throws not_found. */
  setting(id: string): SettingRow {
    const name = SETTING_NAMES.find((each) => each === id);
    if (!name) throw problem('not_found', { what: id });
    const changed = this.#parts.state.settings.get(name);
    const installed = this.#parts.installed[name];
    return {
      id: name,
      value: changed?.value ?? installed,
      installed,
      is_changed: changed !== undefined,
      changed_at: changed?.changedAt.toISOString() ?? null,
      changed_by: changed?.changedBy ?? null,
    };
  }

  /** Throws not_found, and the problem of the setting's rule. */
  check(id: string, value: string): void {
    this.#parts.check(this.setting(id).id, value);
  }

  /** Throws not_found, and the problem of the setting's rule. Returns what it was before. */
  async change(id: string, value: string, by: string): Promise<string> {
    const { db, clock, state, check } = this.#parts;
    const { id: name, value: before } = this.setting(id);
    check(name, value);
    const set = { value, changedAt: new Date(clock.now()), changedBy: by };
    await db.sql
      .insert(changedSettings)
      .values({ name, ...set })
      .onConflictDoUpdate({ target: changedSettings.name, set });
    await state.refresh();
    return before;
  }

  /** The option counts again. Throws not_found. Returns what it was before. */
  async reset(id: string): Promise<string> {
    const { db, state } = this.#parts;
    const { id: name, value: before } = this.setting(id);
    await db.sql.delete(changedSettings).where(eq(changedSettings.name, name));
    await state.refresh();
    return before;
  }

  /** Throws not_found. */
  feature(id: string): FeatureRow {
    const name = FEATURE_NAMES.find((each) => each === id);
    if (!name) throw problem('not_found', { what: id });
    const found = this.#parts.state.features.get(name);
    return {
      id: name,
      is_open: found?.isOpen ?? true,
      note: found?.note ?? null,
      changed_at: found?.changedAt.toISOString() ?? null,
      changed_by: found?.changedBy ?? null,
    };
  }

  /** A note that is left out stays. Throws not_found. */
  async switch(id: string, wish: { isOpen: boolean; note?: Texts | null | undefined }, by: string): Promise<void> {
    const { db, clock, state } = this.#parts;
    const { id: name, note } = this.feature(id);
    const set = {
      isOpen: wish.isOpen,
      note: isBlank(wish.note) ? null : (wish.note ?? note),
      changedAt: new Date(clock.now()),
      changedBy: by,
    };
    await db.sql
      .insert(featureSwitches)
      .values({ name: name satisfies Feature, ...set })
      .onConflictDoUpdate({ target: featureSwitches.name, set });
    await state.refresh();
  }
}

/** Null, or empty in every language. */
export const isBlank = (texts: Texts | null | undefined): boolean =>
  texts === null || (texts !== undefined && [texts.en, texts.zh, texts.ja].every((text) => text.trim() === ''));

/** Rows of plain values, without a search. */
const plain = <Row extends object>() => ({
  field: (row: Row, name: string) => (row as Record<string, string | number | boolean | null>)[name],
  isSought: () => true,
});
