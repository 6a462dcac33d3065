// Proposed prices, what last month would have cost with them, and setting them from a moment on.
import type { PriceItems, PriceSimulation } from '@gantry/contract/areas/billing/admin-prices.ts';
import type { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import { ErrorState } from '@gantry/ui/widgets/states.tsx';
import Add from '@mui/icons-material/Add';
import Delete from '@mui/icons-material/DeleteOutlined';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import IconButton from '@mui/material/IconButton';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { type FormEvent, useRef, useState } from 'react';
import { type HttpError, useDataProvider, usePermissions } from 'react-admin';
import { PageLoading } from '../../parts/page-loading.tsx';
import { PriceItemChoice, usePriceItems } from '../../parts/price-item-choice.tsx';
import { useBillingWords } from '../../parts/use-billing-words.ts';
import { useTyped } from '../../parts/use-typed.ts';
import type { AdminData } from '../../providers/data-provider.ts';
import { PriceNow, perOf } from './price-now.tsx';
import { type ProposedPrice, SetPrices } from './set-prices.tsx';
import { SimulationTables } from './simulation-tables.tsx';

export interface TypedPrice {
  readonly key: number;
  readonly sku: string;
  readonly region: string;
  readonly currency: string;
  readonly amount: string;
}

const MOST = 50;
const EMPTY = { sku: '', region: '', currency: '', amount: '' };
const AMOUNT = /^\d{1,9}(\.\d{1,6})?$/;
const isWhole = ({ sku, amount }: TypedPrice) => sku !== '' && AMOUNT.test(amount);

/** As the gateway takes it: what is empty is left out. */
const proposedOf = ({ sku, region, currency, amount }: TypedPrice): ProposedPrice => ({
  sku,
  amount,
  ...(region !== '' && { region }),
  ...(currency !== '' && { currency }),
});

export function PriceScreen() {
  const t = useBillingWords();
  const data = useDataProvider<AdminData>();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const { data: known, error: failure, refetch } = usePriceItems();
  const [rows, setRows] = useState<readonly TypedPrice[]>([{ key: 0, ...EMPTY }]);
  const [simulation, setSimulation] = useState<PriceSimulation>();
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [isSetting, setSetting] = useState(false);
  // A ref: the loop that sets them reads it as it is, not as it was drawn.
  const done = useRef<ReadonlySet<string>>(new Set());
  useTyped(rows.some(({ key: _, ...typed }) => Object.values(typed).some((text) => text !== '')));
  const isReady = rows.length > 0 && rows.every(isWhole);

  const change = (key: number, changes: Partial<TypedPrice>) => {
    setRows(rows.map((row) => (row.key === key ? { ...row, ...changes } : row)));
    // The simulation below belongs to other prices.
    setSimulation(undefined);
  };
  const simulate = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      const body = { prices: rows.map(proposedOf) };
      setSimulation(await data.ask<PriceSimulation>('prices/simulate', { method: 'POST', body }));
    } catch (thrown) {
      setSimulation(undefined);
      setError(sentenceOf(thrown));
    } finally {
      setBusy(false);
    }
  };
  if (failure) return <ErrorState error={failure} onRetry={() => void refetch()} />;
  if (!known) return <PageLoading />;
  return (
    <Box sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
      <Typography variant="h1">{t('price.title')}</Typography>
      <Typography color="text.secondary">{t('price.lead')}</Typography>
      <Card component="form" onSubmit={(event) => void simulate(event)} sx={{ p: 2, display: 'grid', gap: 2 }}>
        {rows.map((row) => (
          <PriceRow
            key={row.key}
            known={known}
            row={row}
            onChange={(changes) => change(row.key, changes)}
            onRemove={
              rows.length > 1
                ? () => {
                    setRows(rows.filter(({ key }) => key !== row.key));
                    setSimulation(undefined);
                  }
                : undefined
            }
          />
        ))}
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
          <Button
            startIcon={<Add />}
            disabled={rows.length >= MOST}
            onClick={() => setRows([...rows, { key: Math.max(...rows.map(({ key }) => key)) + 1, ...EMPTY }])}
          >
            {t('price.add')}
          </Button>
          <Box sx={{ flex: 1 }} />
          <Button type="submit" variant="outlined" disabled={!isReady} loading={isBusy}>
            {t('price.simulate')}
          </Button>
          {permissions?.has('adminSetPrice') && (
            <Button variant="contained" disabled={!isReady} onClick={() => setSetting(true)}>
              {t('price.set')}
            </Button>
          )}
        </Box>
        {error !== undefined && <Alert severity="error">{error}</Alert>}
      </Card>
      {simulation && <SimulationTables simulation={simulation} items={known.items} />}
      {isSetting && (
        <SetPrices
          prices={rows.map(proposedOf)}
          known={known}
          isDone={(price) => done.current.has(JSON.stringify(price))}
          onDone={(price) => {
            done.current = new Set([...done.current, JSON.stringify(price)]);
          }}
          onClose={() => setSetting(false)}
        />
      )}
    </Box>
  );
}

/** For a price in a list of several, the gateway names the field by its path: the sentence says enough. */
const sentenceOf = (thrown: unknown): string => {
  const { message, body } = thrown as HttpError & { body?: { problem?: ApiProblem } };
  return body?.problem?.message ?? message;
};

interface PriceRowProps {
  known: PriceItems;
  row: TypedPrice;
  onChange(changes: Partial<TypedPrice>): void;
  onRemove: (() => void) | undefined;
}

function PriceRow({ known: { items, regions, currency: usual, currencies }, row, onChange, onRemove }: PriceRowProps) {
  const t = useBillingWords();
  const item = items.find(({ sku }) => sku === row.sku);
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 1,
        alignItems: 'start',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: '2fr 1.4fr 0.8fr 1fr 1fr auto' },
      }}
    >
      <PriceItemChoice
        items={items}
        label={t('price.sku')}
        size="small"
        sku={row.sku}
        onChange={(sku) => onChange({ sku })}
      />
      <TextField
        select
        size="small"
        label={t('price.region')}
        value={row.region}
        onChange={({ target }) => onChange({ region: target.value })}
        slotProps={{ inputLabel: { shrink: true }, select: { displayEmpty: true } }}
      >
        <MenuItem value="">{t('price.everywhere')}</MenuItem>
        {regions.map(({ region, name }) => (
          <MenuItem key={region} value={region}>
            {name}
          </MenuItem>
        ))}
      </TextField>
      <TextField
        select
        size="small"
        label={t('price.currency')}
        value={row.currency || usual}
        onChange={({ target }) => onChange({ currency: target.value === usual ? '' : target.value })}
      >
        {currencies.map((each) => (
          <MenuItem key={each} value={each}>
            {each}
          </MenuItem>
        ))}
      </TextField>
      <Box role="group" aria-label={t('price.priceNow')}>
        <Typography variant="body2" color="text.secondary">
          {t('price.priceNow')}
        </Typography>
        {item && <PriceNow items={items} row={{ ...row, currency: row.currency || usual }} />}
      </Box>
      <TextField
        size="small"
        label={t('price.amount')}
        value={row.amount}
        required
        error={row.amount !== '' && !AMOUNT.test(row.amount)}
        helperText={item && t(perOf(item))}
        onChange={({ target }) => onChange({ amount: target.value.trim() })}
        slotProps={{ htmlInput: { inputMode: 'decimal' } }}
      />
      <IconButton aria-label={t('price.remove')} disabled={!onRemove} onClick={onRemove}>
        <Delete />
      </IconButton>
    </Box>
  );
}
