// The installation's public settings, as its options say.

import type { settings } from '@gantry/contract/areas/settings/platform.ts';
import type { Feature } from '@gantry/contract/features.ts';
import { DOCUMENTS, type IdentityDocument } from '@gantry/contract/fields/identity-document.ts';
import { moneyText } from '@gantry/contract/fields/money.ts';
import type * as z from 'zod';
import type { Config } from '../../platform/config.ts';
import { version } from '../../platform/version.ts';

type Settings = z.output<typeof settings>;

/**
 * The domestic market logs in by e-mail and password first, every other one by a provider first. The password stays everywhere: the
 * first administrator has no other way in.
 */
function loginTypes(
  { market, oidcIssuer }: Pick<Config, 'market' | 'oidcIssuer'>,
  closed: readonly Feature[],
): Settings['login_types'] {
  if (!oidcIssuer || closed.includes('providerLogin')) return ['password'];
  return market === 'domestic' ? ['password', 'oidc'] : ['oidc', 'password'];
}

/** The domestic market knows people by their ID cards. */
export const documentsOf = ({ market }: Pick<Config, 'market'>): readonly IdentityDocument[] =>
  market === 'domestic' ? ['idCard'] : DOCUMENTS;

/** Undefined where nothing is invoiced. */
export const issuerOf = ({ billing, issuerName }: Config): string | undefined =>
  billing === 'on' ? issuerName : undefined;

/** Never empty where the operator can be reached in any way: also where mails come from, unless nobody reads that. */
export function contactOf({ contact, support, community, mailFrom }: Config): string {
  const sender = /<([^<>]+)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom.trim();
  const isRead = /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(sender) && !/^(no|do-?not)-?reply@/i.test(sender);
  return contact || support || community || (isRead ? sender : '');
}

export const settingsOf = (
  config: Config,
  paymentChannels: readonly string[],
  closed: readonly Feature[] = [],
): Settings => ({
  market: config.market,
  region: config.region,
  region_label: config.regionLabel,
  billing_unit: config.billingUnit,
  register_type: config.registerType,
  login_types: loginTypes(config, closed),
  login_providers:
    config.oidcIssuer && !closed.includes('providerLogin') ? [{ id: 'oidc', name: config.oidcName }] : [],
  payment_channels: [...paymentChannels],
  welcome_credits: moneyText(config.welcomeCredit),
  real_name_documents: [...documentsOf(config)],
  real_name_review_hours: config.realNameReviewHours,
  staff_second_factor: config.staffSecondFactor,
  console_variant: config.consoleVariant,
  contact: contactOf(config),
  docs: config.docs,
  support: config.support,
  community: config.community,
  terms_version: config.termsVersion,
  closed_features: [...closed],
  version,
});
