// Settings that staff change while the platform runs, and the platform's own parts as they see them. It opens before everything that reads
// a setting.

import { SETTING_NAMES, type SettingName } from '@gantry/contract/areas/settings/admin-operation.ts';
import { FEATURE_NAMES, type Feature } from '@gantry/contract/features.ts';
import type { ProblemCode } from '@gantry/contract/http/problem.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Logger } from 'pino';
import {
  type ChangeableConfig,
  type Config,
  changeableOf,
  changeableText,
  readChangeable,
} from '../../platform/config.ts';
import type { Database } from '../../platform/db/open.ts';
import { version } from '../../platform/version.ts';
import { limitsOf } from '../billing/payments/limits.ts';
import { GatewaySigns } from './gateway-signs.ts';
import { RunTimeState } from './run-time-state.ts';
import { Settings } from './settings.ts';
import { contactOf, issuerOf } from './settings-of.ts';

const RULES: Record<SettingName, ProblemCode> = {
  contact: 'setting_link',
  docs: 'setting_link',
  support: 'setting_link',
  community: 'setting_link',
  'welcome-credit': 'setting_amount',
  'recharge-limits': 'setting_limits',
  'real-name-review-hours': 'setting_hours',
  'low-balance-hours': 'setting_hour_list',
  'keep-data-days': 'setting_days',
  'alarm-addresses': 'setting_addresses',
};

export interface Operation {
  state: RunTimeState<ChangeableConfig>;
  settings: Settings;
  /** The configuration as it is now: the options, with what staff changed. */
  config(): Config;
  /** Features that are closed. */
  closed(): Feature[];
  stop(): Promise<void>;
}

/** Settings that no start needs, and without which people miss something; `Health` has the same. */
const MISSED: readonly [read: (config: Config) => string | undefined, warning: string][] = [
  [contactOf, 'nobody can reach the operator: set --contact, or the setting of that name in the operators’ console'],
  [issuerOf, 'invoices name nobody who issues them: set --issuer-name, --issuer-address and --issuer-tax-id'],
];

/** Resolves once what staff changed is known. */
export async function openOperation(
  config: Config,
  { db, clock, log }: { db: Database; clock: Clock; log: Logger },
): Promise<Operation> {
  const installed = changeableOf(config);
  const state = new RunTimeState<ChangeableConfig>({ db, clock, log, installed, read: readSetting });
  await state.start();
  for (const [read, warning] of MISSED) if (read({ ...config, ...state.values }) === '') log.warn(warning);
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

/** Throws the problem of the setting's rule, which is its option's. */
function readSetting(name: SettingName, text: string): Partial<ChangeableConfig> {
  const read = readChangeable(name, text);
  if (!read || !areLimits(read.rechargeLimits)) throw problem(RULES[name], {}, { field: 'value' });
  return read;
}

function areLimits(rows: readonly string[] | undefined): boolean {
  try {
    if (rows) limitsOf(rows);
    return true;
  } catch {
    return false;
  }
}
