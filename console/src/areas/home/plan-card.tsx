// The organisation's plan, and how many hosts it still allows.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { ErrorState } from '@gantry/ui/widgets/states.tsx';
import Skeleton from '@mui/material/Skeleton';
import { Facts } from './facts.tsx';
import { HomeCard } from './home-card.tsx';
import { useHomeWords } from './use-home-words.ts';

export function PlanCard() {
  const t = useHomeWords();
  const plan = useCall(CALLS.getPlan, {});
  const { data } = plan;
  const waiting = <Skeleton width="5rem" />;
  const hosts =
    data &&
    (data.hosts_cap === null
      ? t('plan.unlimited', { held: data.hosts_held })
      : t('plan.of', { held: data.hosts_held, cap: data.hosts_cap }));
  return (
    <HomeCard title={t('plan.title')} more={{ to: '/gpu/nodes', label: t('plan.more') }}>
      {plan.error && !data ? (
        <ErrorState error={plan.error} onRetry={() => void plan.refetch()} />
      ) : (
        <Facts
          facts={[
            { label: t('plan.plan'), value: data?.name ?? waiting },
            { label: t('plan.hosts'), value: hosts ?? waiting },
          ]}
        />
      )}
    </HomeCard>
  );
}
