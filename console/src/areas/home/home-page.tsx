// The page after the login: in the whole console, or in the variant that has accounts and billing alone. Data that a person may not see
// here is not asked for either.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { useMay } from '@gantry/ui/session/permission.tsx';
import { useSettings } from '@gantry/ui/session/use-settings.ts';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import Box from '@mui/material/Box';
import { CreateButton } from '../../parts/create-button.tsx';
import { useMe, useOrganization } from '../../parts/use-me.ts';
import { AccountHome } from './account-home.tsx';
import { DeployCard } from './deploy-card.tsx';
import { FirstSteps } from './first-steps.tsx';
import { MoneyCard } from './money-card.tsx';
import { NewsCard } from './news-card.tsx';
import { PlanCard } from './plan-card.tsx';
import { QUICK_IMAGES, QuickStart } from './quick-start.tsx';
import { RunningCard } from './running-card.tsx';
import { StockCard } from './stock-card.tsx';
import { useHomeWords } from './use-home-words.ts';
import { useRunning } from './use-running.ts';

const MOST_READ = 100;

export function HomePage() {
  const { data: settings, isPending } = useSettings();
  if (isPending) return null;
  return settings?.console_variant === 'account' ? <AccountHome /> : <FullHome />;
}

function FullHome() {
  const t = useHomeWords();
  const may = useMay();
  const { data: me } = useMe();
  const { data: organization } = useOrganization();
  const instances = useCall(CALLS.listInstances, { query: { size: MOST_READ } });
  const mayCreate = may('createInstance');
  const running = useRunning(instances);
  // What lies below other cards comes with them, so that nothing moves away under the pointer.
  const images = useCall(CALLS.listImages, QUICK_IMAGES);
  const isSettled = (running.rows ?? running.error) !== undefined && !images.isPending;
  const isNew = instances.data?.total === 0 && running.rows?.length === 0;
  return (
    <>
      <PageHeader title={me === undefined ? t('title') : t('hello', { name: me.username })} lead={t('lead')}>
        <CreateButton node="createInstance" to="/develop/instance/create">
          {t('create')}
        </CreateButton>
      </PageHeader>
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 2fr) minmax(0, 1fr)' },
        }}
      >
        <Box sx={{ display: 'grid', gap: 2, alignContent: 'start', minWidth: 0 }}>
          {isNew && mayCreate ? (
            <FirstSteps />
          ) : (
            <RunningCard running={running} instances={instances.data?.items ?? []} />
          )}
          {isSettled && (
            <>
              <DeployCard />
              {mayCreate && <QuickStart latest={instances.data?.items[0]} />}
              <StockCard />
            </>
          )}
        </Box>
        <Box
          sx={{
            display: 'grid',
            gap: 2,
            alignContent: 'start',
            minWidth: 0,
            // On a phone it lies below the others.
            visibility: { xs: isSettled ? 'visible' : 'hidden', lg: 'visible' },
          }}
        >
          {organization?.rights.includes('pay') !== false && <MoneyCard organizationId={organization?.org_id} />}
          <PlanCard />
          <NewsCard />
        </Box>
      </Box>
    </>
  );
}
