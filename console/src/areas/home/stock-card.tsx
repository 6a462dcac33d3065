// GPUs on offer: how many are free, and what one costs.

import type { GpuSpecView } from '@gantry/contract/areas/kinds/catalogue-views.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import { PriceText } from '../../parts/price-text.tsx';
import { UsedBar } from '../../parts/used-bar.tsx';
import { HomeCard } from './home-card.tsx';
import { useHomeWords } from './use-home-words.ts';

const EVERY_MS = 60_000;

export function StockCard() {
  const t = useHomeWords();
  const { data, error, refetch } = useCall(CALLS.listGpuSpecs, {}, { everyMs: EVERY_MS });
  return (
    <HomeCard title={t('stock.title')} more={{ to: '/gpu/nodes/rent', label: t('stock.rent') }}>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !data && <LoadingRows rows={4} height={44} />}
      {data?.length === 0 && <EmptyState title={t('stock.none')} />}
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {data?.map((spec) => (
          <StockRow key={`${spec.region}/${spec.id}`} spec={spec} />
        ))}
      </Box>
    </HomeCard>
  );
}

function StockRow({ spec }: { spec: GpuSpecView }) {
  const t = useHomeWords();
  const free = t('stock.free', { free: spec.free, total: spec.total });
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'minmax(0, 1fr) auto', md: 'minmax(0, 1fr) 10rem 8rem auto' },
        gap: 1.5,
        alignItems: 'center',
        py: 1,
        borderTop: '1px solid',
        borderColor: 'divider',
      }}
    >
      <Typography variant="body2" sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
        {spec.name}
      </Typography>
      <Box>
        <Typography variant="caption" color="text.secondary">
          {free}
        </Typography>
        <UsedBar used={spec.total - spec.free} total={spec.total} label={`${spec.name}: ${free}`} />
      </Box>
      <Typography variant="body2" component="div" sx={{ textAlign: { md: 'end' } }}>
        <PriceText price={spec.price} />
      </Typography>
      <Guarded node="createInstance">
        <Button
          component={Link}
          to={`/develop/instance/create?${new URLSearchParams({ gpu: spec.gpu_type, count: '1' })}`}
          size="small"
          variant="outlined"
          disabled={spec.free === 0}
          aria-label={t('stock.useNamed', { name: spec.name })}
        >
          {t('stock.use')}
        </Button>
      </Guarded>
    </Box>
  );
}
