// Spent of a cap, as a bar and in words.
import { moneyText } from '@gantry/ui/format/money.ts';
import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useOrganizationWords } from '../use-organization-words.ts';
import { capState } from './cap-state.ts';

interface CapBarProps {
  label: string;
  spent: string;
  cap: string | null;
  currency: string;
}

const COLORS = { open: 'primary', nearly: 'warning', reached: 'error' } as const;

export function CapBar({ label, spent, cap, currency }: CapBarProps) {
  const t = useOrganizationWords();
  const state = capState(spent, cap);
  return (
    <Box sx={{ display: 'grid', gap: 0.75, fontVariantNumeric: 'tabular-nums' }}>
      <Typography>
        {state
          ? t('caps.of', { spent: moneyText(spent, currency), cap: moneyText(cap, currency) })
          : `${moneyText(spent, currency)} · ${t('caps.none')}`}
        {state && state.is !== 'open' && ` · ${t(`caps.${state.is}`)}`}
      </Typography>
      {state && (
        <LinearProgress variant="determinate" value={state.percent} color={COLORS[state.is]} aria-label={label} />
      )}
    </Box>
  );
}
