// Settings that staff change while the platform runs, in memory and at most two seconds behind the database: settings over the options,
// closed features, GPU models of the market. A database that is away changes nothing: what was read last goes on.

import type { SettingName } from '@gantry/contract/areas/settings/admin-operation.ts';
import type { Words } from '@gantry/contract/define-kind.ts';
import type { Feature } from '@gantry/contract/features.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Database } from '../../platform/db/open.ts';
import { changedSettings, featureSwitches, marketModels } from '../../platform/db/schema/operation.ts';

export type Texts = Pick<Words, 'en' | 'zh' | 'ja'>;
export type ChangedSetting = typeof changedSettings.$inferSelect;
export type FeatureSwitch = typeof featureSwitches.$inferSelect;
export type MarketModel = typeof marketModels.$inferSelect;

export interface RunTimeParts<Values extends object> {
  db: Database;
  clock: Clock;
  log: { warn(facts: object, text: string): void };
  /** The values of the options. */
  installed: Values;
  /** The values with these texts of settings instead; throws a problem where one breaks its option's rule. */
  read(name: SettingName, text: string): Partial<Values>;
}

const LOOK_MS = 2_000;

export class RunTimeState<Values extends object> {
  readonly #parts: RunTimeParts<Values>;
  readonly #listeners = new Set<() => void>();
  #settings: ReadonlyMap<string, ChangedSetting> = new Map();
  #features: ReadonlyMap<string, FeatureSwitch> = new Map();
  #models: ReadonlyMap<string, MarketModel> = new Map();
  #values: Values;
  #seen = '';
  #callOff: (() => void) | undefined;
  #isStopped = false;
  #reading: Promise<unknown> = Promise.resolve();

  constructor(parts: RunTimeParts<Values>) {
    this.#parts = parts;
    this.#values = parts.installed;
  }

  /** Resolves once everything has been read; follows the database until `stop`. */
  async start(): Promise<void> {
    await this.refresh();
    this.#look();
  }

  stop(): void {
    this.#isStopped = true;
    this.#callOff?.();
  }

  /** Calls back when anything has changed. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** The settings as they count now. */
  get values(): Values {
    return this.#values;
  }

  get settings(): ReadonlyMap<string, ChangedSetting> {
    return this.#settings;
  }

  get features(): ReadonlyMap<string, FeatureSwitch> {
    return this.#features;
  }

  get models(): ReadonlyMap<string, MarketModel> {
    return this.#models;
  }

  /** Staff's note about a closed feature; undefined while it is open. */
  closed(feature: Feature): { note: Texts | null } | undefined {
    const found = this.#features.get(feature);
    return found && !found.isOpen ? { note: found.note } : undefined;
  }

  /** Reads follow each other: an older one that ends later would undo what a newer one found. */
  refresh(): Promise<void> {
    const read = this.#reading.then(() => this.#read());
    this.#reading = read.catch(() => undefined);
    return read;
  }

  async #read(): Promise<void> {
    const { sql } = this.#parts.db;
    const settings = await sql.select().from(changedSettings);
    const features = await sql.select().from(featureSwitches);
    const models = await sql.select().from(marketModels);
    const seen = JSON.stringify([settings, features, models]);
    if (seen === this.#seen) return;
    this.#seen = seen;
    this.#settings = new Map(settings.map((row) => [row.name, row]));
    this.#features = new Map(features.map((row) => [row.name, row]));
    this.#models = new Map(models.map((row) => [row.model, row]));
    this.#values = this.#valuesOf(settings);
    for (const listener of this.#listeners) listener();
  }

  /** A text that a newer version's rule refuses does not stop the gateway: the option counts. */
  #valuesOf(settings: readonly ChangedSetting[]): Values {
    const { installed, read, log } = this.#parts;
    const values = { ...installed };
    for (const { name, value } of settings) {
      try {
        Object.assign(values, read(name as SettingName, value));
      } catch (error) {
        log.warn({ err: error, setting: name }, 'a changed setting is not right: the option counts');
      }
    }
    return values;
  }

  #look(): void {
    if (this.#isStopped) return;
    this.#callOff = this.#parts.clock.after(LOOK_MS, () => {
      this.refresh()
        .catch((error: unknown) => this.#parts.log.warn({ err: error }, 'settings could not be read'))
        .finally(() => this.#look());
    });
  }
}
