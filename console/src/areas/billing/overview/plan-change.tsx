// Confirms a change of plan, with its price and when it applies.

import type { OwnPlanView, PlanFactsView } from '@gantry/contract/areas/billing/prices.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { moneyText } from '@gantry/ui/format/money.ts';
import { dateText } from '@gantry/ui/format/time.ts';
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import { useBillingWords } from '../use-billing-words.ts';
import { planMove } from './plan-move.ts';

interface PlanChangeProps {
  own: OwnPlanView;
  wanted: PlanFactsView;
  onClose(): void;
}

export function PlanChange({ own, wanted, onClose }: PlanChangeProps) {
  const t = useBillingWords();
  const change = useCommand(CALLS.changePlan, {
    isQuiet: true,
    success: t('plan.changed'),
    invalidates: [CALLS.getPlan, CALLS.getWalletBalances, CALLS.listTransactions, CALLS.getMyOrganization],
    onSuccess: onClose,
  });
  const move = planMove(own, wanted.plan);
  const title = move === 'stay' || move === 'up' || move === 'down' ? move : 'up';
  const price = moneyText(wanted.price, own.currency);
  const date = own.paid_to === null ? '' : dateText(own.paid_to);
  const said = {
    up: t('plan.confirm.up', { plan: wanted.name, price }),
    down: t(date === '' ? 'plan.confirm.downNow' : 'plan.confirm.down', { plan: wanted.name, own: own.name, date }),
    stay: t('plan.confirm.stay', { plan: wanted.name }),
  };
  return (
    <ConfirmDialog
      title={t(`plan.moves.${title}`, { plan: wanted.name })}
      confirmLabel={t(`plan.moves.${title}`, { plan: wanted.name })}
      isBusy={change.isPending}
      error={change.error}
      others={
        change.error?.error === 'plan_not_covered' && (
          <Button component={Link} to="/manage/billing/recharge">
            {t('recharge.button')}
          </Button>
        )
      }
      onConfirm={() => change.mutate({ body: { plan: wanted.plan } })}
      onClose={onClose}
    >
      <Typography>{said[title]}</Typography>
    </ConfirmDialog>
  );
}
