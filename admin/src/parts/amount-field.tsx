// An amount that staff type: above zero, with the currency beside it.
import InputAdornment from '@mui/material/InputAdornment';
import TextField from '@mui/material/TextField';
import { useBillingWords } from './use-billing-words.ts';

const AMOUNT = /^(?=.*[1-9])\d{1,9}(\.\d{1,2})?$/;
export const isAmount = (text: string): boolean => AMOUNT.test(text);

interface AmountFieldProps {
  value: string;
  currency: string;
  onChange(value: string): void;
  help?: string;
}

export function AmountField({ value, currency, onChange, help }: AmountFieldProps) {
  const t = useBillingWords();
  const isWrong = value !== '' && !isAmount(value);
  return (
    <TextField
      label={t('amount')}
      value={value}
      onChange={({ target }) => onChange(target.value.trim())}
      required
      error={isWrong}
      helperText={isWrong ? t('amountRule') : help}
      slotProps={{
        htmlInput: { inputMode: 'decimal', autoComplete: 'off', maxLength: 12 },
        input: { endAdornment: <InputAdornment position="end">{currency}</InputAdornment> },
      }}
    />
  );
}
