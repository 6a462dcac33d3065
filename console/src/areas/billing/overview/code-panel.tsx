// Discount codes: those that the organisation redeemed, and a field for another.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { sentenceOf } from '@gantry/ui/client/api-problem.ts';
import { useCall, useCommand } from '@gantry/ui/client/use-api.tsx';
import { dateText } from '@gantry/ui/format/time.ts';
import { ErrorState } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { type FormEvent, useState } from 'react';
import { Section } from '../../../parts/section.tsx';
import { useBillingWords } from '../use-billing-words.ts';

export function CodePanel() {
  const t = useBillingWords();
  const redeemed = useCall(CALLS.listDiscountCodes, {});
  const [typed, setTyped] = useState('');
  const redeem = useCommand(CALLS.redeemDiscountCode, {
    isQuiet: true,
    success: t('code.redeemed'),
    invalidates: [CALLS.listDiscountCodes],
    onSuccess: () => setTyped(''),
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() !== '') redeem.mutate({ body: { code: typed.trim() } });
  };
  return (
    <Section inGrid title={t('code.title')} lead={t('code.lead')}>
      <Box component="form" onSubmit={send} sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'start' }}>
        <TextField
          size="small"
          label={t('code.label')}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          error={redeem.error !== null}
          helperText={redeem.error ? sentenceOf(redeem.error) : undefined}
          slotProps={{ htmlInput: { maxLength: 64, autoComplete: 'off', autoCapitalize: 'characters' } }}
          sx={{ minWidth: { sm: 320 } }}
        />
        <Button type="submit" variant="outlined" loading={redeem.isPending}>
          {t('code.redeem')}
        </Button>
      </Box>
      {redeemed.error && !redeemed.data && (
        <ErrorState error={redeemed.error} onRetry={() => void redeemed.refetch()} />
      )}
      {redeemed.data && redeemed.data.length > 0 && (
        <Box component="ul" sx={{ m: 0, mt: 2, pl: 2.5 }}>
          {redeemed.data.map(({ code, percent, valid_to }) => (
            <Typography component="li" key={code}>
              {percent === 0
                ? t('code.over', { code })
                : valid_to === null
                  ? t('code.valid', { code, percent })
                  : t('code.validTo', { code, percent, date: dateText(valid_to) })}
            </Typography>
          ))}
        </Box>
      )}
    </Section>
  );
}
