// The price before deciding: by the hour and the month, the reserved amount, and how long the balance lasts.

import type { EstimateView } from '@gantry/contract/areas/billing/wallet.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { moneyText, rateText } from '@gantry/ui/format/money.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { ErrorState } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { missingOf } from '../missing-money.ts';
import { useTimeLeft } from '../time-left.ts';
import { TopUpButton } from '../top-up-button.tsx';
import { useSettled } from '../use-settled.ts';
import { FormSection } from './form-section.tsx';
import { useUsageText } from './use-usage-text.ts';
import { useWorkloadWords } from './use-workload-words.ts';

export const SETTLES_MS = 400;

/** A field's error is shown at the field. */
export const isOfField = (error: unknown): boolean => error instanceof ApiProblem && error.field !== undefined;

interface CostPanelProps {
  kind: 'GpuInstance' | 'Job' | 'ContainerService' | 'DataProcess' | 'FineTune' | 'Evaluation';
  /** The part of the spec that the estimate needs; undefined while a number is missing. */
  spec: object | undefined;
  /** Its data centre; empty is the first. */
  region?: string;
  /** The amount needed to create it matters too. */
  isNew: boolean;
  onRecharge?: (() => void) | undefined;
  /** Below the price by the month. */
  more?: (estimate: EstimateView) => ReactNode;
}

export function CostPanel({ kind, spec, region = '', isNew, onRecharge, more }: CostPanelProps) {
  const t = useWorkloadWords();
  const settled = useSettled(spec && { spec, ...(region !== '' && { region }) }, SETTLES_MS);
  const { data, error, refetch } = useCall(
    CALLS.estimateCost,
    { body: { kind, ...settled, spec: { ...settled?.spec } } },
    { enabled: settled !== undefined, keepsPrevious: true },
  );
  return (
    <FormSection title={isNew ? t('cost.title') : t('cost.after')}>
      {settled === undefined || isOfField(error) ? (
        <Typography variant="body2" color="text.secondary">
          {t('cost.incomplete')}
        </Typography>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Cost estimate={data} isNew={isNew} onRecharge={onRecharge} more={more} />
      ) : (
        <Skeleton variant="rounded" height={isNew ? 172 : 84} />
      )}
    </FormSection>
  );
}

interface CostProps {
  estimate: EstimateView;
  isNew: boolean;
  onRecharge: (() => void) | undefined;
  more: CostPanelProps['more'];
}

function Cost({ estimate, isNew, onRecharge, more }: CostProps) {
  const t = useWorkloadWords();
  const ui = useUiWords();
  const usageText = useUsageText();
  const { currency, lines } = estimate;
  return (
    <>
      <Box aria-live="polite">
        <Typography variant="h2" component="p">
          {ui('price.perHour', { amount: rateText(estimate.per_hour, currency) })}
        </Typography>
        <Typography variant="body2" color="text.secondary">
          {ui('price.perMonth', { amount: moneyText(estimate.per_month, currency) })}
        </Typography>
        {more?.(estimate)}
      </Box>
      {isNew && <Balance estimate={estimate} />}
      <Box component="details">
        <Typography component="summary" variant="body2" sx={{ cursor: 'pointer' }}>
          {t('cost.details')}
        </Typography>
        <Box component="ul" sx={{ pl: 0, my: 1, listStyle: 'none' }}>
          {lines.map(({ resource, model, quantity, per, per_hour: amount }) => (
            <Row
              key={`${resource}/${model}`}
              label={usageText({ resource, model, quantity })}
              value={
                per === 'included' ? t('cost.included') : ui('price.perHour', { amount: rateText(amount, currency) })
              }
            />
          ))}
        </Box>
      </Box>
      {isNew && !estimate.affordable && <Refusal estimate={estimate} onRecharge={onRecharge} />}
    </>
  );
}

function Balance({
  estimate: { currency, available, needed, balance_after: after, hours_left: hours },
}: {
  estimate: EstimateView;
}) {
  const t = useWorkloadWords();
  const timeLeft = useTimeLeft();
  return (
    <Box component="ul" sx={{ pl: 0, m: 0, listStyle: 'none' }}>
      <Row label={t('cost.balance')} value={moneyText(available, currency)} />
      <Row label={t('cost.needed')} value={rateText(needed, currency)} />
      <Row label={t('cost.left')} value={moneyText(after, currency)} />
      <Row label={t('cost.hours')} value={timeLeft(hours)} hint={t('cost.hoursHint')} />
    </Box>
  );
}

const REFUSALS = ['not_enough_credit', 'spend_cap_reached', 'member_cap_reached', 'no_price'] as const;

function Refusal({
  estimate: { refusal, needed, available, currency, unpriced },
  onRecharge,
}: Pick<CostProps, 'estimate' | 'onRecharge'>) {
  const t = useWorkloadWords();
  const known = REFUSALS.find((code) => code === refusal) ?? 'other';
  const args = {
    needed: rateText(needed, currency),
    available: moneyText(available, currency),
    what: unpriced.join(', '),
  };
  return (
    <Alert
      severity="warning"
      action={
        known === 'not_enough_credit' && <TopUpButton missing={missingOf({ needed, available })} onLeave={onRecharge} />
      }
    >
      {t(`cost.refusals.${known}`, args)}
    </Alert>
  );
}

function Row({ label, value, hint }: { label: string; value: string; hint?: string }) {
  return (
    <Box component="li" sx={{ display: 'flex', justifyContent: 'space-between', gap: 2, py: 0.25 }}>
      <Typography variant="body2" color="text.secondary" {...(hint !== undefined && { title: hint })}>
        {label}
      </Typography>
      <Typography variant="body2" sx={{ textAlign: 'end' }}>
        {value}
      </Typography>
    </Box>
  );
}
