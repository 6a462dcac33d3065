// Settings that staff change while the platform runs, and the platform's own parts as they see them. It opens before everything that reads
// a setting.

import { SETTING_NAMES, type SettingName } from '@gantry/contract/areas/settings/admin-operation.ts';
import { FEATURE_NAMES, type Feature } from '@gantry/contract/features.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Logger } from 'pino';
import { type ChangeableConfig, type Config, changeableOf, changeableText } from '../../platform/config.ts';
import type { Database } from '../../platform/db/open.ts';
import { version } from '../../platform/version.ts';
import { GatewaySigns } from './gateway-signs.ts';
import { missedSettings } from './missed-settings.ts';
import { readSetting } from './read-setting.ts';
import { RunTimeState } from './run-time-state.ts';
import { Settings } from './settings.ts';

export interface Operation {
  state: RunTimeState<ChangeableConfig>;
  settings: Settings;
  /** The configuration as it is now: the options, with what staff changed. */
  config(): Config;
  /** Features that are closed. */
  closed(): Feature[];
  stop(): Promise<void>;
}

/** Resolves once what staff changed is known. */
export async function openOperation(
  config: Config,
  { db, clock, log }: { db: Database; clock: Clock; log: Logger },
): Promise<Operation> {
  const installed = changeableOf(config);
  const state = new RunTimeState<ChangeableConfig>({ db, clock, log, installed, read: readSetting });
  await state.start();
  for (const warning of missedSettings({ ...config, ...state.values })) log.warn(warning);
  const signs = new GatewaySigns({ db, clock, log, version });
  await signs.start();
  let known: { values: ChangeableConfig; config: Config } = { values: installed, config };
  return {
    state,
    settings: new Settings({
      db,
      clock,
      state,
      installed: Object.fromEntries(
        SETTING_NAMES.map((name) => [name, changeableText(installed, name)]),
      ) as unknown as Record<SettingName, string>,
      check: readSetting,
    }),
    config() {
      if (known.values !== state.values) known = { values: state.values, config: { ...config, ...state.values } };
      return known.config;
    },
    closed: () => FEATURE_NAMES.filter((name) => state.closed(name)),
    async stop() {
      state.stop();
      await signs.stop();
    },
  };
}
