// One plan: its price, its features, and the button to choose it.
import type { OwnPlanView, PlanFactsView } from '@gantry/contract/areas/billing/prices.ts';
import { moneyText } from '@gantry/ui/format/money.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import Check from '@mui/icons-material/Check';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import { useBillingWords } from '../use-billing-words.ts';
import { planMove } from './plan-move.ts';

interface PlanCardProps {
  own: OwnPlanView;
  plan: PlanFactsView;
  onWant(): void;
}

export function PlanCard({ own, plan, onWant }: PlanCardProps) {
  const t = useBillingWords();
  const isOwn = own.plan === plan.plan;
  const hosts = plan.hosts === null ? t('plan.anyHosts') : t('plan.hosts', { smart_count: plan.hosts });
  return (
    <Paper
      variant="outlined"
      sx={{ p: 2, display: 'flex', flexDirection: 'column', gap: 1.5, ...(isOwn && { borderColor: 'primary.main' }) }}
    >
      <Box sx={{ display: 'flex', gap: 1, alignItems: 'center', minHeight: 28 }}>
        <Typography variant="h3" sx={{ flex: 1 }}>
          {plan.name}
        </Typography>
        {isOwn && <Chip size="small" color="primary" label={t('plan.current')} />}
      </Box>
      <PlanPrice plan={plan} currency={own.currency} />
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', flex: 1 }}>
        {[hosts, ...plan.features.map(({ label }) => label)].map((feature) => (
          <Box component="li" key={feature} sx={{ display: 'flex', gap: 1, py: 0.25 }}>
            <Check fontSize="small" color="success" aria-hidden />
            <Typography variant="body2" component="span">
              {feature}
            </Typography>
          </Box>
        ))}
      </Box>
      <PlanButton own={own} plan={plan} onWant={onWant} />
    </Paper>
  );
}

function PlanPrice({ plan, currency }: { plan: PlanFactsView; currency: string }) {
  const t = useBillingWords();
  const ui = useUiWords();
  const text =
    plan.price !== null && Number(plan.price) === 0
      ? t('plan.free')
      : plan.price !== null
        ? ui('price.perMonth', { amount: moneyText(plan.price, currency) })
        : t(plan.by_staff ? 'plan.agreed' : 'plan.unpriced');
  return <Typography sx={{ fontSize: '1.25rem', fontWeight: 600 }}>{text}</Typography>;
}

/** Always of the same height, so that cards are alike. */
function PlanButton({ own, plan, onWant }: PlanCardProps) {
  const t = useBillingWords();
  const move = planMove(own, plan.plan);
  if (move === 'contact')
    return (
      <Button component={Link} to="/contact" variant="outlined">
        {t('plan.contact')}
      </Button>
    );
  if (move === 'current' || move === 'coming')
    return (
      <Button variant="outlined" disabled>
        {t(move === 'current' ? 'plan.current' : 'plan.coming')}
      </Button>
    );
  return (
    <Guarded node="changePlan">
      <Button fullWidth variant={move === 'up' ? 'contained' : 'outlined'} onClick={onWant}>
        {t(`plan.moves.${move}`, { plan: plan.name })}
      </Button>
    </Guarded>
  );
}
