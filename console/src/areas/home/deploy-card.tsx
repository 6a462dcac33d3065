// Jobs and services by their phases, once there are any.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import { HomeCard } from './home-card.tsx';
import { PhaseChips } from './phase-chips.tsx';
import { useHomeWords } from './use-home-words.ts';

const MOST_READ = 100;

export function DeployCard() {
  const t = useHomeWords();
  const query = { size: MOST_READ };
  const jobs = useCall(CALLS.listJobs, { query });
  const services = useCall(CALLS.listServices, { query });
  const rows = [
    { name: t('deploy.jobs'), list: '/deploy/job', objects: jobs.data?.items ?? [] },
    { name: t('deploy.services'), list: '/deploy/service', objects: services.data?.items ?? [] },
  ].filter(({ objects }) => objects.length > 0);
  if (rows.length === 0) return null;
  return (
    <HomeCard title={t('deploy.title')}>
      <Box
        component="dl"
        sx={{ m: 0, display: 'grid', gridTemplateColumns: 'auto minmax(0, 1fr)', gap: 1.5, alignItems: 'baseline' }}
      >
        {rows.map(({ name, list, objects }) => (
          <Box key={list} sx={{ display: 'contents' }}>
            <Box component="dt" sx={{ fontSize: 14 }}>
              <Link component={RouterLink} to={list}>
                {name}
              </Link>
            </Box>
            <Box component="dd" sx={{ m: 0 }}>
              <PhaseChips list={list} objects={objects} />
            </Box>
          </Box>
        ))}
      </Box>
    </HomeCard>
  );
}
