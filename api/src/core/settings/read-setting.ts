// A setting as staff wrote it: the rule that it breaks is its option's.
import type { SettingName } from '@gantry/contract/areas/settings/admin-operation.ts';
import { type ProblemCode, problem } from '@gantry/contract/http/problem.ts';
import { type ChangeableConfig, readChangeable } from '../../platform/config.ts';
import { limitsOf } from '../billing/payments/limits.ts';

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
  'market-stock': 'setting_stock',
  'portal-name': 'setting_name',
  'portal-logo': 'setting_logo',
  'portal-accent': 'setting_color',
  'portal-footer': 'setting_footer',
  'legal-number': 'setting_legal_number',
  'portal-counts': 'setting_switch',
};

/** Throws the problem of the setting's rule, which is its option's. */
export function readSetting(name: SettingName, text: string): Partial<ChangeableConfig> {
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
