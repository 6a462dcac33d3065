// An amount: the usual ones by a press, any other by typing.
import { FormText } from '@gantry/ui/form/fields.tsx';
import { typedAmount } from '@gantry/ui/format/money.ts';
import Box from '@mui/material/Box';
import InputAdornment from '@mui/material/InputAdornment';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import type { UseFormReturn } from 'react-hook-form';
import { useBillingWords } from '../use-billing-words.ts';
import { presetsWithin } from './presets.ts';
import type { RechargeValues } from './recharge-form.tsx';

interface AmountFieldProps {
  form: UseFormReturn<RechargeValues>;
  sign: string;
  range: { least: string; most: string };
  help: string;
}

export function AmountField({ form, sign, range, help }: AmountFieldProps) {
  const t = useBillingWords();
  const presets = presetsWithin(range);
  const chosen = typedAmount(form.watch('amount'));
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <ToggleButtonGroup
        exclusive
        value={chosen}
        aria-label={t('recharge.presets')}
        onChange={(_, amount: string | null) =>
          amount !== null && form.setValue('amount', amount, { shouldValidate: true, shouldDirty: true })
        }
        sx={{
          flexWrap: 'wrap',
          gap: 1,
          '& .MuiToggleButton-root': { border: '1px solid', borderColor: 'divider', borderRadius: 1, px: 2.5 },
        }}
      >
        {presets.map((amount) => (
          <ToggleButton key={amount} value={amount}>
            {sign}
            {amount}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <FormText
        control={form.control}
        name="amount"
        label={t('recharge.amount')}
        help={help}
        isRequired
        autoComplete="off"
        sx={{ maxWidth: 320 }}
        slotProps={{
          htmlInput: { inputMode: 'decimal' },
          input: { startAdornment: <InputAdornment position="start">{sign.trim()}</InputAdornment> },
        }}
      />
    </Box>
  );
}
