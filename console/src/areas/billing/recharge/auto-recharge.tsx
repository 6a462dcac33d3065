// Automatic top-up from the default card when the balance is low: the threshold, the amount, and the daily limit.

import { PAYMENT_ROUTES } from '@gantry/contract/areas/billing/payments.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall, useCommand } from '@gantry/ui/client/use-api.tsx';
import { FormText } from '@gantry/ui/form/fields.tsx';
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { currencySign, typedAmount } from '@gantry/ui/format/money.ts';
import { useLanguage, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import InputAdornment from '@mui/material/InputAdornment';
import Link from '@mui/material/Link';
import Switch from '@mui/material/Switch';
import { Controller } from 'react-hook-form';
import { Link as RouterLink } from 'react-router';
import * as z from 'zod';
import { Section } from '../../../parts/section.tsx';
import { cardName, type OwnCard } from '../cards/own-card.ts';
import { useBillingWords } from '../use-billing-words.ts';

const { body: schema } = PAYMENT_ROUTES.setAutoRecharge;
type Values = z.input<typeof schema>;

const asSent = ({ enabled, below, amount, daily_limit }: Values): Values => ({
  enabled,
  below: typedAmount(below),
  amount: typedAmount(amount),
  daily_limit: typedAmount(daily_limit),
});

export function AutoRecharge({ cards, currency }: { cards: readonly OwnCard[]; currency: string }) {
  const t = useBillingWords();
  const kept = useCall(CALLS.getAutoRecharge, {});
  const card = cards.find(({ is_default: isDefault }) => isDefault);
  const lead = card ? t('auto.lead', { card: cardName(card) }) : t('auto.leadWithoutCard');
  return (
    <Section inGrid title={t('auto.title')} lead={lead}>
      {kept.error && !kept.data ? (
        <ErrorState error={kept.error} onRetry={() => void kept.refetch()} />
      ) : !kept.data ? (
        <LoadingRows rows={5} height={44} />
      ) : (
        <AutoForm
          first={{
            enabled: kept.data.enabled,
            below: plain(kept.data.below) ?? '10',
            amount: plain(kept.data.amount) ?? '50',
            daily_limit: plain(kept.data.daily_limit) ?? '200',
          }}
          hasCard={card !== undefined}
          sign={currencySign(currency).trim()}
        />
      )}
    </Section>
  );
}

/** As a person types it: two decimals at most, and none that say nothing. */
const plain = (amount: string | null): string | undefined => amount?.replace(/\.00$/, '');

function AutoForm({ first, hasCard, sign }: { first: Values; hasCard: boolean; sign: string }) {
  const t = useBillingWords();
  const ui = useUiWords();
  const { form, error, submit } = useServerForm<Values>({
    resolver: rulesOf(z.preprocess(asSent, schema) as unknown as z.ZodType<unknown, Values>, useLanguage()),
    defaultValues: first,
  });
  const save = useCommand(CALLS.setAutoRecharge, { isQuiet: true, invalidates: [CALLS.getAutoRecharge] });
  const amounts = [
    ['below', t('auto.below')],
    ['amount', t('auto.amount')],
    ['daily_limit', t('auto.dailyLimit')],
  ] as const;
  const isOn = form.watch('enabled');
  return (
    <Box
      component="form"
      noValidate
      onSubmit={submit((typed) => save.mutateAsync({ body: asSent(typed) }))}
      sx={{ display: 'grid', gap: 2 }}
    >
      <Controller
        control={form.control}
        name="enabled"
        render={({ field: { value, ref, ...field } }) => (
          <FormControlLabel
            control={<Switch {...field} checked={value} slotProps={{ input: { ref, role: 'switch' } }} />}
            label={t('auto.enabled')}
          />
        )}
      />
      {isOn && !hasCard && (
        <Alert severity="info">
          {t('auto.needsCard')}{' '}
          <Link component={RouterLink} to="/manage/billing/cards">
            {t('cards.add')}
          </Link>
        </Alert>
      )}
      {amounts.map(([name, label]) => (
        <FormText
          key={name}
          control={form.control}
          name={name}
          label={label}
          isRequired
          slotProps={{
            htmlInput: { inputMode: 'decimal' },
            input: { startAdornment: <InputAdornment position="start">{sign}</InputAdornment> },
          }}
        />
      ))}
      {error !== undefined && <Alert severity="error">{error}</Alert>}
      <Guarded node="setAutoRecharge">
        <Button type="submit" variant="outlined" loading={save.isPending} sx={{ justifySelf: 'start' }}>
          {ui('actions.save')}
        </Button>
      </Guarded>
    </Box>
  );
}
