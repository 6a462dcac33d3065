// Every GPU, or MIG instance of one, as a cell: how busy it is, as a number and as a shade, and what is wrong with it in words.
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router';
import type { Card } from './models-of.ts';
import { metricsPage } from './object-link.tsx';
import { useMonitorWords } from './use-monitor-words.ts';

const HOT_C = 90;

export function CardMap({ cards, nameOf }: { cards: readonly Card[]; nameOf: (card: Card) => string }) {
  const t = useMonitorWords();
  return (
    <Box
      component="ul"
      sx={{
        display: 'grid',
        gap: 1,
        gridTemplateColumns: 'repeat(auto-fill, minmax(168px, 1fr))',
        listStyle: 'none',
        p: 0,
        m: 0,
      }}
    >
      {cards.map((card) => {
        const { uuid, mig, pod, container, utilization, temperature, xid, gpu, node } = card;
        const place = mig === null ? t('card.place', { node, gpu }) : t('card.part', { node, gpu, mig });
        const faults = [
          ...(temperature !== null && temperature >= HOT_C ? [t('card.hot', { degrees: temperature })] : []),
          ...(xid === null ? [] : [t('card.xid', { xid })]),
        ];
        return (
          <Box
            component="li"
            key={[uuid, mig, pod, container].join(' ')}
            sx={{
              border: '2px solid',
              borderColor: faults.length > 0 ? 'error.main' : 'divider',
              borderRadius: 1,
              p: 1,
              minWidth: 0,
              // The bar grows from below: no shade has to be told from another.
              backgroundImage: `linear-gradient(to top, color-mix(in srgb, var(--mui-palette-primary-main) 18%, transparent) ${utilization ?? 0}%, transparent ${utilization ?? 0}%)`,
            }}
          >
            <Typography sx={{ fontWeight: 600 }}>
              {utilization === null ? t('noData') : t('percent', { value: Math.round(utilization) })}
            </Typography>
            <Typography variant="body2" noWrap>
              <Link component={RouterLink} to={metricsPage(card.type, card.object)}>
                {nameOf(card)}
              </Link>
            </Typography>
            {[place, t('card.container', { pod, container })].map((line) => (
              <Typography key={line} variant="caption" color="text.secondary" component="div" noWrap title={line}>
                {line}
              </Typography>
            ))}
            {faults.map((fault) => (
              <Typography key={fault} variant="caption" color="error" component="div">
                {fault}
              </Typography>
            ))}
          </Box>
        );
      })}
    </Box>
  );
}
