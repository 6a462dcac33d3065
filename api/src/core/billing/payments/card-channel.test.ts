// How the card channel reads its provider, over the wire.
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { expect, test } from '@jest/globals';
import pino from 'pino';
import { CARD_KEYS, openCardDouble } from '../../../../../test/support/card-double.ts';
import { CardChannel } from './card-channel.ts';

test('news are read to the last, however many there are', async () => {
  const clock = new SteppedClock();
  const double = await openCardDouble(() => clock.now());
  try {
    const created = Math.floor(clock.now() / 1000);
    const all = Array.from({ length: 10_150 }, (_, index) => ({
      ...{ id: `evt_${index}`, object: 'event', type: 'refund.updated', created },
      data: { object: { object: 'refund', id: `re_${index}`, payment_intent: `pi_${index}` } },
    }));
    double.events.push(...all);
    const { secretKey, webhookSecret, publishableKey } = CARD_KEYS;
    const channel = new CardChannel(
      {
        ...{ secretKey, publishableKey, webhookSecrets: [webhookSecret], scriptUrl: '', url: double.url },
        returnUrl: 'https://console.example/',
      },
      { clock, log: pino({ level: 'silent' }) },
    );
    const read = new Set<string>();
    for await (const { id } of channel.news(new Date(clock.now()))) read.add(id);
    expect([read.size, read.has('evt_0'), read.has('evt_10149')]).toEqual([10_150, true, true]);
  } finally {
    await double.close();
  }
});
