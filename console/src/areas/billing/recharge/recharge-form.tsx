// How much, and by what.

import type { PAYMENT_ROUTES } from '@gantry/contract/areas/billing/payments.ts';
import { amountToPay } from '@gantry/contract/fields/amounts.ts';
import type { OutputOf } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { currencySign, moneyText, rateText, typedAmount } from '@gantry/ui/format/money.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import { EmptyState } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useNavigate, useSearchParams } from 'react-router';
import * as z from 'zod';
import { payOnWayBack } from '../../../parts/way-back.ts';
import type { OwnCard } from '../cards/own-card.ts';
import { useBillingWords } from '../use-billing-words.ts';
import { AmountField } from './amount-field.tsx';
import { ChannelChoice } from './channel-choice.tsx';
import { amountFor } from './presets.ts';

export type Offered = OutputOf<typeof PAYMENT_ROUTES.listPaymentChannels>;

const fields = z.object({
  amount: z.string().transform(typedAmount).pipe(amountToPay),
  channel: z.string(),
  card: z.string(),
});
export type RechargeValues = z.input<typeof fields>;
type Channel = Offered['channels'][number]['payment_channel'];

const USUAL_AMOUNT = '20';

export function RechargeForm({ offered, cards }: { offered: Offered; cards: readonly OwnCard[] }) {
  const t = useBillingWords();
  const language = useLanguage();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const { channels, currency, least, most } = offered;
  const defaultCard = cards.find(({ is_default: isDefault }) => isDefault) ?? cards[0];
  const missing = params.get('missing') ?? '';
  const covering = (amount: string) => (least === null ? undefined : amountFor(amount, { least, currency }));
  const ofMissing = covering(missing);
  const limits = t('recharge.limits', { least: moneyText(least, currency), most: moneyText(most, currency) });
  const { form, error, submit } = useServerForm<RechargeValues>({
    resolver: rulesOf(
      fields.refine(({ amount }) => Number(amount) >= Number(least) && Number(amount) <= Number(most), {
        error: limits,
        path: ['amount'],
      }),
      language,
    ),
    defaultValues: {
      amount: params.get('amount') ?? ofMissing ?? covering(USUAL_AMOUNT) ?? USUAL_AMOUNT,
      channel: params.get('channel') ?? channels[0]?.payment_channel ?? '',
      card: defaultCard?.payment_id ?? '',
    },
  });
  const pay = useCommand(CALLS.recharge, { isQuiet: true, success: false });
  if (channels.length === 0 || least === null || most === null)
    return <EmptyState title={t('recharge.none')} hint={t('recharge.noneHint')} />;

  const channel = channels.find(({ payment_channel: name }) => name === form.watch('channel'));
  const send = submit(async ({ amount, channel: name, card }) => {
    const { id } = await pay.mutateAsync({
      body: {
        amount: typedAmount(amount),
        payment_channel: name as Channel,
        ...(name === 'card' && card !== '' && { payment_id: card }),
      },
    });
    if (ofMissing !== undefined) payOnWayBack(id);
    await navigate(`/manage/billing/recharge?payment=${encodeURIComponent(id)}`);
  });
  return (
    <Box component="form" noValidate onSubmit={send} sx={{ display: 'grid', gap: 3 }}>
      {channel?.is_test && <Alert severity="warning">{t('recharge.test')}</Alert>}
      {ofMissing !== undefined && (
        <Alert severity="info">{t('recharge.missing', { missing: rateText(missing, currency) })}</Alert>
      )}
      <AmountField form={form} sign={currencySign(currency)} range={{ least, most }} help={limits} />
      <ChannelChoice form={form} channels={channels} cards={cards} />
      {error !== undefined && <Alert severity="error">{error}</Alert>}
      <Guarded node="recharge">
        <Button type="submit" variant="contained" size="large" loading={pay.isPending} sx={{ justifySelf: 'start' }}>
          {t('recharge.go')}
        </Button>
      </Guarded>
    </Box>
  );
}
