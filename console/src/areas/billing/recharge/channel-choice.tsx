// The payment method: the offered channels, and which card.
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormLabel from '@mui/material/FormLabel';
import Link from '@mui/material/Link';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { Controller, type UseFormReturn } from 'react-hook-form';
import { Link as RouterLink } from 'react-router';
import { cardName, type OwnCard } from '../cards/own-card.ts';
import { useBillingWords } from '../use-billing-words.ts';
import type { Offered, RechargeValues } from './recharge-form.tsx';

interface ChannelChoiceProps {
  form: UseFormReturn<RechargeValues>;
  channels: Offered['channels'];
  cards: readonly OwnCard[];
}

export function ChannelChoice({ form, channels, cards }: ChannelChoiceProps) {
  const t = useBillingWords();
  const id = useId();
  // Where all of them are for tests, the form says so once.
  const isMixed = channels.some((channel) => channel.is_test !== channels[0]?.is_test);
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Controller
        control={form.control}
        name="channel"
        render={({ field: { ref, ...field } }) => (
          <FormControl>
            <FormLabel id={id}>{t('recharge.channel')}</FormLabel>
            <RadioGroup aria-labelledby={id} {...field}>
              {channels.map(({ payment_channel: name, name: label, is_test: isTest }, index) => (
                <FormControlLabel
                  key={name}
                  value={name}
                  control={<Radio {...(index === 0 && { slotProps: { input: { ref } } })} />}
                  label={
                    <>
                      {label}{' '}
                      {isTest && isMixed && <Chip size="small" color="warning" label={t('recharge.testChip')} />}
                    </>
                  }
                />
              ))}
            </RadioGroup>
          </FormControl>
        )}
      />
      {form.watch('channel') === 'card' && <CardChoice form={form} cards={cards} />}
    </Box>
  );
}

function CardChoice({ form, cards }: Pick<ChannelChoiceProps, 'form' | 'cards'>) {
  const t = useBillingWords();
  const id = useId();
  if (cards.length === 0)
    return (
      <Typography variant="body2" color="text.secondary">
        {t('recharge.cardNext')}
      </Typography>
    );
  return (
    <Controller
      control={form.control}
      name="card"
      render={({ field: { ref, ...field } }) => (
        <FormControl>
          <FormLabel id={id}>{t('recharge.card')}</FormLabel>
          <RadioGroup aria-labelledby={id} {...field}>
            {cards.map((card, index) => (
              <FormControlLabel
                key={card.payment_id}
                value={card.payment_id}
                control={<Radio {...(index === 0 && { slotProps: { input: { ref } } })} />}
                label={`${cardName(card)} · ${card.exp_time}`}
              />
            ))}
          </RadioGroup>
          <Link component={RouterLink} to="/manage/billing/cards" variant="body2">
            {t('recharge.otherCard')}
          </Link>
        </FormControl>
      )}
    />
  );
}
