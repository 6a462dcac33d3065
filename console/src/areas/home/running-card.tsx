// Running instances, and those that want to run.
import type { ListPage } from '@gantry/contract/http/call.ts';
import type { InstanceView } from '@gantry/contract/kinds/gpu-instance.ts';
import type { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Terminal from '@mui/icons-material/TerminalOutlined';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Link from '@mui/material/Link';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import { PriceText } from '../../parts/price-text.tsx';
import { TwoLines } from '../../parts/two-lines.tsx';
import { HomeCard } from './home-card.tsx';
import { inOrderOfInterest } from './in-order-of-interest.ts';
import { PhaseChips } from './phase-chips.tsx';
import { useHomeWords } from './use-home-words.ts';

const SHOWN = 6;

export function RunningCard({ instances }: { instances: UseQueryResult<ListPage<InstanceView>, ApiProblem> }) {
  const t = useHomeWords();
  const { data, error } = instances;
  const rows = inOrderOfInterest(data?.items ?? []);
  return (
    <HomeCard title={t('running.title')} more={{ to: '/develop/instance', label: t('running.all') }}>
      {error && !data && <ErrorState error={error} onRetry={() => void instances.refetch()} />}
      {!error && !data && <LoadingRows rows={3} height={52} />}
      {data && (
        <>
          <Box sx={{ mb: 1 }}>
            <PhaseChips list="/develop/instance" objects={data.items} />
          </Box>
          {rows.length === 0 && (
            <Typography variant="body2" color="text.secondary" sx={{ py: 2 }}>
              {t('running.none')}
            </Typography>
          )}
          <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
            {rows.slice(0, SHOWN).map((row) => (
              <RunningRow key={row.id} row={row} />
            ))}
          </Box>
        </>
      )}
    </HomeCard>
  );
}

function RunningRow({ row }: { row: InstanceView }) {
  const t = useHomeWords();
  const isReachable = row.actions.some(({ action }) => action === 'login');
  const isWaiting = row.tone !== 'good' && row.message !== null;
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'minmax(0, 1fr) auto', md: 'minmax(0, 1fr) auto 9rem 2.5rem' },
        gap: 1.5,
        alignItems: 'center',
        py: 1,
        borderTop: '1px solid',
        borderColor: 'divider',
      }}
    >
      <TwoLines
        first={
          <Link component={RouterLink} to={`/develop/instance/${row.id}`} sx={{ fontWeight: 600 }}>
            {row.name}
          </Link>
        }
        second={isWaiting ? row.message : row.specification}
        title={isWaiting ? (row.message ?? '') : row.specification}
      />
      <PhaseChip label={row.phase_label} tone={row.tone} message={row.message} />
      <Typography variant="body2" component="div" sx={{ textAlign: { md: 'end' } }}>
        <PriceText price={row.price} />
      </Typography>
      <Box sx={{ justifySelf: 'end', height: 34 }}>
        {isReachable && (
          <Tooltip title={t('running.terminal')}>
            <IconButton
              size="small"
              component={RouterLink}
              to={`/develop/instance/console/${row.id}`}
              target="_blank"
              aria-label={`${t('running.terminal')}: ${row.name}`}
            >
              <Terminal fontSize="small" />
            </IconButton>
          </Tooltip>
        )}
      </Box>
    </Box>
  );
}
