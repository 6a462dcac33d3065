// Warnings for an operator at the start.
import type { Config } from '../../platform/config.ts';
import { contactOf, issuerOf } from './settings-of.ts';

/** Settings that no start needs, and without which people miss something; `Health` has the same. */
const MISSED: readonly [read: (config: Config) => string | undefined, warning: string][] = [
  [contactOf, 'nobody can reach the operator: set --contact, or the setting of that name in the operators’ console'],
  [issuerOf, 'invoices name nobody who issues them: set --issuer-name, --issuer-address and --issuer-tax-id'],
];

/** A sentence for each that is missing. */
export const missedSettings = (config: Config): string[] =>
  MISSED.flatMap(([read, warning]) => (read(config) === '' ? [warning] : []));
