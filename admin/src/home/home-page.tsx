// The operators' home: the platform at a glance, live. `?wall=1` is for a screen on a wall: large, dark, full screen, and without
// anything personal.
import type { Overview } from '@gantry/contract/areas/admin/admin-home.ts';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Fullscreen from '@mui/icons-material/Fullscreen';
import FullscreenExit from '@mui/icons-material/FullscreenExit';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { useDataProvider } from 'react-admin';
import { useSearchParams } from 'react-router';
import { TimedPhrase } from '../parts/timed-phrase.tsx';
import { useHomeWords } from '../parts/use-home-words.ts';
import type { AdminData } from '../providers/data-provider.ts';
import { problemIn } from '../providers/problem-in.ts';
import { AlarmsCard } from './alarms-card.tsx';
import { GpuCard } from './gpu-card.tsx';
import { HoursCard } from './hours-card.tsx';
import { NewestCard } from './newest-card.tsx';
import { RevenueCard } from './revenue-card.tsx';
import { UsageCard } from './usage-card.tsx';
import { WaitsCard } from './waits-card.tsx';

export function HomePage() {
  const [params, setParams] = useSearchParams();
  const isWall = params.has('wall');
  const enter = () => {
    // Browsers that refuse it, or have none, show the page all the same.
    void document.documentElement.requestFullscreen?.().catch(() => undefined);
    setParams({ wall: '1' });
  };
  const leave = () => {
    if (document.fullscreenElement) void document.exitFullscreen();
    setParams({});
  };
  useLeaveWithFullscreen(isWall, leave);
  const page = <HomeParts isWall={isWall} onWall={isWall ? leave : enter} />;
  if (!isWall) return page;
  return (
    <Box
      component="main"
      // Dark whatever the person has chosen for themselves.
      data-scheme="dark"
      sx={{
        minHeight: '100dvh',
        p: '1.2em',
        bgcolor: 'background.default',
        color: 'text.primary',
        colorScheme: 'dark',
        // Everything fits on a screen of the usual shape, whatever its size.
        fontSize: 'clamp(0.8rem, min(0.93vw, 1.62vh), 3rem)',
        '& h1': { fontSize: '1.6em' },
        '& h2': { fontSize: '1.15em' },
        '& .MuiTypography-body2': { fontSize: '0.8em' },
      }}
    >
      {page}
    </Box>
  );
}

function HomeParts({ isWall, onWall }: { isWall: boolean; onWall: () => void }) {
  const t = useHomeWords();
  const { data, error, dataUpdatedAt, refetch } = useOverview({ isWall });
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2, mb: 2 }}>
        <Typography variant="h1" sx={{ flex: 1 }}>
          {t('title')}
        </Typography>
        {data && (
          <span>
            <TimedPhrase times={{ time: dataUpdatedAt }} say={(times) => t('updated', times)} />
          </span>
        )}
        <Button
          onClick={onWall}
          color="inherit"
          startIcon={isWall ? <FullscreenExit /> : <Fullscreen />}
          sx={{ fontSize: 'inherit' }}
        >
          {t(isWall ? 'wall.leave' : 'wall.enter')}
        </Button>
      </Box>
      {error && data && (
        <Alert severity="warning" sx={{ mb: 2 }}>
          <TimedPhrase
            times={{ time: dataUpdatedAt }}
            say={(times) => t('failed', { ...times, message: error.message })}
          />
        </Alert>
      )}
      {data?.stale_since && (
        <Alert severity="warning" sx={{ mb: 2 }}>
          <TimedPhrase times={{ time: data.stale_since }} say={(times) => t('stale', times)} />
        </Alert>
      )}
      {!data && (error ? <ErrorState error={problemIn(error)} onRetry={() => void refetch()} /> : <LoadingRows />)}
      {data && (
        <Box sx={{ display: 'flex', gap: '1em', alignItems: 'flex-start', flexWrap: { xs: 'wrap', lg: 'nowrap' } }}>
          {data.computing && (
            <Column isWide>
              <GpuCard gpus={data.computing.gpus} />
              <HoursCard hours={data.computing.hours} />
              <WaitsCard waits={data.computing.waits} waiting={data.computing.waiting} isWall={isWall} />
            </Column>
          )}
          <Column>
            {data.revenue && <RevenueCard revenue={data.revenue} />}
            {data.computing && <UsageCard requested={data.computing.requested} measured={data.computing.measured} />}
            {data.alarms && <AlarmsCard alarms={data.alarms} firing={data.tenants_firing} isWall={isWall} />}
            {data.organizations && <NewestCard organizations={data.organizations} isWall={isWall} />}
          </Column>
        </Box>
      )}
    </>
  );
}

const Column = ({ isWide = false, children }: { isWide?: boolean; children: ReactNode }) => (
  <Box
    sx={{
      display: 'flex',
      flexWrap: 'wrap',
      gap: '1em',
      minWidth: 0,
      flex: { xs: '1 1 100%', lg: isWide ? '2 1 0' : '1 1 0' },
    }}
  >
    {children}
  </Box>
);

/** Escape leaves the browser's full screen, and then the page's too. */
function useLeaveWithFullscreen(isWall: boolean, leave: () => void): void {
  useEffect(() => {
    if (!isWall) return;
    let was = document.fullscreenElement !== null;
    const look = () => {
      const is = document.fullscreenElement !== null;
      if (was && !is) leave();
      was = is;
    };
    document.addEventListener('fullscreenchange', look);
    return () => document.removeEventListener('fullscreenchange', look);
  });
}

// The overview, asked for every five seconds while the page is seen: the gateway answers all screens from one computation, and an
// unchanged one with nothing but its ETag.
const EVERY_MS = 5_000;

/** A wall is looked at without being touched: there it goes on in a window that the browser takes for hidden. */
function useOverview({ isWall }: { isWall: boolean }) {
  const data = useDataProvider<AdminData>();
  return useQuery({
    queryKey: ['adminShowOverview'],
    queryFn: ({ signal }) => data.ask<Overview>('overview', { signal }),
    refetchInterval: EVERY_MS,
    refetchIntervalInBackground: isWall,
    retry: false,
    staleTime: EVERY_MS,
  });
}
