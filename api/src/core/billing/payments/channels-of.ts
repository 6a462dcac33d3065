// The ways to pay that an installation offers: those that are fully configured, and named.
import { BadConfig } from '@gantry/kube/options.ts';
import { type Config, readText } from '../../../platform/config.ts';
import { CardChannel } from './card-channel.ts';
import type { Channel } from './channel.ts';
import { NetworkChannel, type NetworkSettings } from './network-channel.ts';
import type { PaymentsParts } from './payments.ts';
import { keysOf } from './signed-messages.ts';
import { TransferChannel } from './transfer-channel.ts';

/** An installation's settings for its ways to pay; an empty one is not offered. Keys are the contents of their files. */
export interface PaymentSettings {
  /** Which of the configured channels are offered. */
  paymentChannels: readonly string[];
  publicUrl: string;
  stripeKey: string;
  stripeWebhookSecret: string;
  stripePublishableKey: string;
  stripeJsUrl: string;
  stripeUrl: string;
  networks: Readonly<Record<NetworkSettings['name'], { url: string; merchant: string; key: string }>>;
  bankAccount: string;
}

/** Throws a RangeError for a key that is none. */
export function channelsOf(settings: PaymentSettings, parts: Pick<PaymentsParts, 'clock' | 'log'>): Channel[] {
  const { publicUrl, stripeKey, stripeWebhookSecret, stripeUrl, networks, bankAccount } = settings;
  const root = publicUrl.replace(/\/$/, '');
  const returnUrl = `${root}/manage/billing?payment=`;
  const all: Channel[] = [];
  if (stripeKey !== '' && stripeWebhookSecret.trim() === '')
    parts.log.warn(
      'without a secret of webhooks those of the card provider are refused: payments are asked about alone',
    );
  if (stripeKey !== '')
    all.push(
      new CardChannel(
        {
          secretKey: stripeKey,
          webhookSecrets: stripeWebhookSecret.split(/\s+/).filter((line) => line !== ''),
          publishableKey: settings.stripePublishableKey,
          scriptUrl: settings.stripeJsUrl,
          url: stripeUrl === '' ? undefined : stripeUrl,
          returnUrl,
        },
        parts,
      ),
    );
  for (const [name, { url, merchant, key }] of Object.entries(networks) as [
    NetworkSettings['name'],
    PaymentSettings['networks'][NetworkSettings['name']],
  ][])
    if (url !== '' && key !== '') {
      const notifyUrl = `${root}/api/paybill/v1/webhook/${name}`;
      all.push(new NetworkChannel({ name, url, merchant, keys: keysOf(key), notifyUrl, returnUrl }, parts));
    }
  if (bankAccount !== '') all.push(new TransferChannel(bankAccount));
  return all.filter(({ name }) => settings.paymentChannels.includes(name));
}

/** The channels that are fully configured. Throws BadConfig. */
export function paymentChannels(config: Config, parts: Pick<PaymentsParts, 'clock' | 'log'>): Channel[] {
  const network = (url: string, merchant: string, keyFile: string) => ({ url, merchant, key: readText(keyFile) });
  const settings = {
    ...config,
    stripeKey: readText(config.stripeKeyFile),
    stripeWebhookSecret: readText(config.stripeWebhookSecretFile),
    networks: {
      wallet_a: network(config.walletAUrl, config.walletAMerchant, config.walletAKeyFile),
      wallet_b: network(config.walletBUrl, config.walletBMerchant, config.walletBKeyFile),
      domestic_card: network(config.domesticCardUrl, config.domesticCardMerchant, config.domesticCardKeyFile),
    },
  };
  try {
    return channelsOf(settings, parts);
  } catch (error) {
    throw new BadConfig(`a key of a payment channel is not right: ${(error as Error).message}`);
  }
}
