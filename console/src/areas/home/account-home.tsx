// The home of the variant that has accounts and billing alone: who one is, what one has, and the latest messages.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { ErrorState } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { useMe, useOrganization } from '../../parts/use-me.ts';
import { Facts } from './facts.tsx';
import { HomeCard } from './home-card.tsx';
import { MoneyCard } from './money-card.tsx';
import { NewsCard } from './news-card.tsx';
import { useHomeWords } from './use-home-words.ts';

const STATES = { 0: 'none', 1: 'certified', 2: 'failed', 3: 'pending' } as const;

export function AccountHome() {
  const t = useHomeWords();
  const { data: me } = useMe();
  const { data: organization } = useOrganization();
  return (
    <>
      <PageHeader title={me === undefined ? t('title') : t('hello', { name: me.username })} lead={t('lead')} />
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          alignItems: 'start',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) minmax(0, 1fr)' },
        }}
      >
        <AccountCard />
        {organization?.rights.includes('pay') !== false && <MoneyCard organizationId={organization?.org_id} />}
        <NewsCard />
      </Box>
    </>
  );
}

function AccountCard() {
  const t = useHomeWords();
  const { data: me } = useMe();
  const { data: organization } = useOrganization();
  const proof = useCall(CALLS.getOwnRealAuth, {});
  const waiting = <Skeleton width="5rem" />;
  return (
    <HomeCard title={t('account.title')} more={{ to: '/manage/account', label: t('account.more') }}>
      {proof.error && !proof.data ? (
        <ErrorState error={proof.error} onRetry={() => void proof.refetch()} />
      ) : (
        <Facts
          facts={[
            { label: t('account.name'), value: me?.username ?? waiting },
            { label: t('account.organization'), value: organization?.org_name ?? waiting },
            {
              label: t('account.realName'),
              value: proof.data ? t(`account.status.${STATES[proof.data.status]}`) : waiting,
            },
          ]}
        />
      )}
    </HomeCard>
  );
}
