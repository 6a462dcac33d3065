// The price of a disk while its size is chosen. Its height is constant.
import { MOST_DISK_GI } from '@gantry/contract/fields/size.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { moneyText, rateText } from '@gantry/ui/format/money.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { ErrorState } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { missingOf } from '../../parts/missing-money.ts';
import { TopUpButton } from '../../parts/top-up-button.tsx';
import { useSettled } from '../../parts/use-settled.ts';
import { useStorageWords } from './use-storage-words.ts';

/** Nobody asks for the price of every digit that is typed. */
const STILL_MS = 300;

interface DiskPriceProps {
  sizeGi: number;
  access: 'Single' | 'Many';
  /** Keeps the form before somebody leaves to pay. */
  onLeave?: () => void;
}

export function DiskPrice({ sizeGi, access, onLeave }: DiskPriceProps) {
  const t = useStorageWords();
  const ui = useUiWords();
  const size = useSettled(sizeGi, STILL_MS);
  const isPriced = Number.isInteger(size) && size >= 1 && size <= MOST_DISK_GI;
  const { data, error } = useCall(
    CALLS.estimateCost,
    { body: { kind: 'DataDisk', spec: { sizeGi: size, access } } },
    { enabled: isPriced, keepsPrevious: true },
  );
  const rate = data?.lines.find(({ resource }) => resource === 'disk')?.unit_price;
  if (error) return <ErrorState error={error} />;
  return (
    <Box sx={{ bgcolor: 'action.hover', borderRadius: 1, p: 2, minHeight: 108 }} aria-live="polite">
      <Typography variant="body2" color="text.secondary">
        {t('create.pricing')}
      </Typography>
      <Typography variant="h2" component="p">
        {data && isPriced
          ? ui('price.perMonth', { amount: moneyText(data.per_month, data.currency) })
          : t('create.computing')}
      </Typography>
      {data && (
        <Typography variant="body2" color="text.secondary">
          {rate != null && ui('price.perGiMonth', { amount: rateText(rate, data.currency) })}
          {rate != null && ' · '}
          {ui('price.perHour', { amount: rateText(data.per_hour, data.currency) })}
        </Typography>
      )}
      <Typography variant="caption" component="p" color="text.secondary">
        {t('create.hint')}
      </Typography>
      {data && !data.affordable && (
        <Alert
          severity="warning"
          sx={{ mt: 1 }}
          action={data.refusal === 'not_enough_credit' && <TopUpButton missing={missingOf(data)} onLeave={onLeave} />}
        >
          {t('create.refused')}
        </Alert>
      )}
    </Box>
  );
}
