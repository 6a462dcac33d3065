// What runs and costs, and what needs a person, which comes first.
import type { InstanceView } from '@gantry/contract/kinds/gpu-instance.ts';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Terminal from '@mui/icons-material/TerminalOutlined';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Link from '@mui/material/Link';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router';
import { PriceText } from '../../parts/price-text.tsx';
import { TwoLines } from '../../parts/two-lines.tsx';
import { HomeCard } from './home-card.tsx';
import { PhaseChips } from './phase-chips.tsx';
import { useHomeWords } from './use-home-words.ts';
import type { Running, RunningRow } from './use-running.ts';

const SHOWN = 8;

export function RunningCard({ running, instances }: { running: Running; instances: readonly InstanceView[] }) {
  const t = useHomeWords();
  const { rows, error, again } = running;
  return (
    <HomeCard title={t('running.title')} more={{ to: '/develop/instance', label: t('running.all') }}>
      {error && !rows && <ErrorState error={error} onRetry={again} />}
      {!error && !rows && <LoadingRows rows={3} height={52} />}
      {rows && (
        <>
          <Box sx={{ mb: 1 }}>
            <PhaseChips list="/develop/instance" objects={instances} />
          </Box>
          {rows.length === 0 && (
            <Typography variant="body2" color="text.secondary" sx={{ py: 2 }}>
              {t('running.none')}
            </Typography>
          )}
          <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
            {rows.slice(0, SHOWN).map((row) => (
              <Row key={row.id} row={row} />
            ))}
          </Box>
          {rows.length > SHOWN && (
            <Typography variant="body2" color="text.secondary" sx={{ pt: 1 }}>
              {t('running.more', { smart_count: rows.length - SHOWN })}
            </Typography>
          )}
        </>
      )}
    </HomeCard>
  );
}

function Row({ row }: { row: RunningRow }) {
  const t = useHomeWords();
  const isWaiting = row.tone !== 'good' && row.message !== null;
  const kind = t(`running.kinds.${row.kind}`);
  const said = isWaiting ? row.message : row.specification;
  const second = [row.kind === 'GpuInstance' ? undefined : kind, said].filter(Boolean).join(' · ');
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
          <Link component={RouterLink} to={row.path} underline="hover" sx={{ fontWeight: 600 }}>
            {row.name}
          </Link>
        }
        second={second}
        title={second}
      />
      <PhaseChip label={row.phase_label} tone={row.tone} message={row.message} />
      <Typography variant="body2" component="div" sx={{ textAlign: { md: 'end' } }}>
        <PriceText price={row.price} />
      </Typography>
      <Box sx={{ justifySelf: 'end', height: 34 }}>
        {row.isReachable && (
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
