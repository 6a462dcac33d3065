// The plan of the organisation, and what there is beside it.

import type { OwnPlanView, PlanFactsView } from '@gantry/contract/areas/billing/prices.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { dateText } from '@gantry/ui/format/time.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import { ErrorState } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { useState } from 'react';
import { Section } from '../../../parts/section.tsx';
import { useBillingWords } from '../use-billing-words.ts';
import { PlanCard } from './plan-card.tsx';
import { PlanChange } from './plan-change.tsx';

export function PlanPanel() {
  const t = useBillingWords();
  const own = useCall(CALLS.getPlan, {});
  return (
    <Section inGrid title={t('plan.title')} lead={own.data ? <OwnPlan own={own.data} /> : <Skeleton width="60%" />}>
      {own.error && !own.data ? (
        <ErrorState error={own.error} onRetry={() => void own.refetch()} />
      ) : own.data ? (
        <Plans own={own.data} />
      ) : (
        <Skeleton variant="rounded" sx={{ height: { xs: 700, md: 250 } }} />
      )}
    </Section>
  );
}

function OwnPlan({ own }: { own: OwnPlanView }) {
  const t = useBillingWords();
  const language = useLanguage();
  const { hosts_held: held, hosts_cap: cap } = own;
  const hosts = cap === null ? t('plan.hostsHeld', { smart_count: held }) : t('plan.hostsHeldOf', { held, cap });
  const paid = own.paid_to === null ? '' : t('plan.paidTo', { date: dateText(own.paid_to) });
  return (
    <>
      {[t('plan.own', { plan: own.name }), paid, hosts]
        .filter((text) => text !== '')
        .join(language === 'en' ? ' ' : '')}
      {own.next && (
        <Alert severity="info" sx={{ mt: 1 }}>
          {t('plan.next', { plan: own.next.name, date: dateText(own.next.at) })}
        </Alert>
      )}
    </>
  );
}

function Plans({ own }: { own: OwnPlanView }) {
  const [wanted, setWanted] = useState<PlanFactsView>();
  return (
    <>
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', md: 'repeat(3, 1fr)' } }}>
        {own.plans.map((plan) => (
          <PlanCard key={plan.plan} own={own} plan={plan} onWant={() => setWanted(plan)} />
        ))}
      </Box>
      {wanted && <PlanChange own={own} wanted={wanted} onClose={() => setWanted(undefined)} />}
    </>
  );
}
