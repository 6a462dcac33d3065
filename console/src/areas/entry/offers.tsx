// The GPUs on offer and their prices, for everybody to read.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { rateText } from '@gantry/ui/format/money.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { type Offer, offersOf } from './offers-of.ts';
import { useEntryWords } from './use-entry-words.ts';

const EVERY_MS = 60_000;

export function Offers() {
  const t = useEntryWords();
  const { data, error, refetch } = useCall(CALLS.listGpuSpecs, {}, { everyMs: EVERY_MS });
  return (
    <Box component="section" sx={{ display: 'grid', gap: 2 }}>
      <Box>
        <Typography variant="h2" id="offers">
          {t('offers.title')}
        </Typography>
        <Typography variant="body2" color="textSecondary" sx={{ maxWidth: '40rem' }}>
          {t('offers.lead')}
        </Typography>
      </Box>
      {/* Above what is as long as there are offers. */}
      <Rates />
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <OfferTable offers={offersOf(data)} />
      ) : (
        <LoadingRows rows={8} height={37} />
      )}
    </Box>
  );
}

function OfferTable({ offers }: { offers: readonly Offer[] }) {
  const t = useEntryWords();
  if (offers.length === 0) return <Typography>{t('offers.none')}</Typography>;
  return (
    // Scrollable on a phone, also by keyboard.
    <Box role="region" aria-labelledby="offers" tabIndex={0} sx={{ overflowX: 'auto' }}>
      <Box
        component="table"
        sx={{
          width: '100%',
          borderCollapse: 'collapse',
          fontSize: 14,
          fontVariantNumeric: 'tabular-nums',
          '& th, & td': { textAlign: 'end', py: 1, px: 1, borderBottom: '1px solid', borderColor: 'divider' },
          '& th:first-of-type': { textAlign: 'start', pl: 0 },
          '& thead th': { color: 'text.secondary', fontWeight: 600, fontSize: 13 },
          '& tbody th': { fontWeight: 500 },
          '& td, & thead th': { whiteSpace: 'nowrap' },
        }}
      >
        <thead>
          <tr>
            <th scope="col">{t('offers.gpu')}</th>
            <th scope="col">{t('offers.perCard')}</th>
            <Box component="th" scope="col" sx={{ display: { xs: 'none', sm: 'table-cell' } }}>
              {t('offers.perHost')}
            </Box>
            <th scope="col">{t('offers.free')}</th>
          </tr>
        </thead>
        <tbody>
          {offers.map(({ name, cardPrice, hostPrices, free, total, currency }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{rateText(cardPrice, currency)}</td>
              <Box component="td" sx={{ display: { xs: 'none', sm: 'table-cell' } }}>
                {hostPrices
                  .map(({ cards, amount }) => t('offers.host', { cards, price: rateText(amount, currency) }))
                  .join(', ') || '–'}
              </Box>
              <td>{free === 0 ? t('offers.soldOut') : t('offers.freeOf', { free, total })}</td>
            </tr>
          ))}
        </tbody>
      </Box>
    </Box>
  );
}

/** The other things that cost. */
function Rates() {
  const t = useEntryWords();
  const ui = useUiWords();
  const { data } = useCall(CALLS.getBillingConfig, {}, { staleMs: EVERY_MS });
  const rate = (resource: string) => {
    const row = data?.prices.find((price) => price.resource === resource && price.model === null);
    return row && ui('price.perHour', { amount: rateText(row.amount, row.currency) });
  };
  const disk = data?.disk.amount && ui('price.perGiMonth', { amount: rateText(data.disk.amount, data.currency) });
  const [cpu, memory] = [rate('cpu'), rate('memory')];
  const parts = [
    disk && t('offers.disk', { price: disk }),
    cpu && t('offers.cpu', { price: cpu }),
    memory && t('offers.memory', { price: memory }),
  ].filter(Boolean);
  return (
    <Typography variant="body2" color="textSecondary" sx={{ minHeight: { xs: '3em', sm: '1.5em' } }}>
      {parts.join(' · ')}
    </Typography>
  );
}
