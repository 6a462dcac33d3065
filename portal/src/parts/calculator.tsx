// What an instance costs for a time: the server's price of one card with its cores, memory and home disk, times cards and hours.
import { moneyText as decimalText, micros, parseMoney } from '@gantry/contract/fields/money.ts';
import { moneyText } from '@gantry/ui/format/money.ts';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { FIELDS } from './field-style.ts';
import type { MarketModel } from './market-view.ts';
import { usePortalWords } from './use-portal-words.ts';

const MOST_HOURS = 10_000;
const FIRST_HOURS = 24;

export function Calculator({ models, currency }: { models: readonly MarketModel[]; currency: string }) {
  const t = usePortalWords();
  const priced = models.filter(({ regions }) => regions.some(({ instance }) => instance.hour !== null));
  const [id, setId] = useState('');
  const [hours, setHours] = useState(FIRST_HOURS);
  const model = priced.find((one) => one.id === id) ?? priced[0];
  if (!model) return null;
  const offers = model.regions.flatMap(({ region, name, instance }) =>
    instance.hour ? [{ region, name, amount: instance.hour.amount, size: instance.size }] : [],
  );
  return (
    <Box component="section" aria-labelledby="calculator" sx={CARD}>
      <Typography variant="h2" id="calculator">
        {t('market.calculator')}
      </Typography>
      <Box sx={{ ...FIELDS, mt: 1.5 }}>
        <label>
          {t('market.model')}
          <select value={model.id} onChange={({ target }) => setId(target.value)}>
            {priced.map((one) => (
              <option key={one.id} value={one.id}>
                {one.name}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t('market.hours')}
          <input
            type="number"
            min={1}
            max={MOST_HOURS}
            value={hours}
            onChange={({ target }) =>
              setHours(Math.min(MOST_HOURS, Math.max(1, Math.trunc(Number(target.value)) || 1)))
            }
          />
        </label>
      </Box>
      <Box component="ul" aria-live="polite" sx={{ m: 0, mt: 2, pl: 2.5 }}>
        {offers.map(({ region, name, amount, size }) => (
          <li key={region}>
            <bdi>{name}</bdi>: <strong>{moneyText(timesAmount(amount, hours), currency)}</strong>{' '}
            <Box component="span" sx={{ color: 'text.secondary' }}>
              {t('market.sized', { gpus: size.gpus, cores: size.cores, memory: size.memory_gi, disk: size.disk_gi })}
            </Box>
          </li>
        ))}
      </Box>
    </Box>
  );
}

/** So many times an amount, exactly. */
const timesAmount = (amount: string, times: number): string => decimalText(micros(parseMoney(amount) * BigInt(times)));

const CARD = {
  mt: 4,
  p: 2.5,
  bgcolor: 'background.paper',
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
} as const;
