// Bars of costs, vertical for days, horizontal for named things. Screen readers get the same figures as a table. One colour for
// all: each bar has a label.
import { rateText } from '@gantry/ui/format/money.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { useBillingWords } from '../use-billing-words.ts';
import { evenly } from './days-of.ts';

export interface CostRow {
  name: string;
  total: string;
}

interface CostChartProps {
  rows: readonly CostRow[];
  currency: string;
  height: number;
  label: string;
  isLying?: boolean;
  /** For standing bars: the names that have a label, and its text. Absent: all, as they are. */
  labels?: { labelled: string[]; textOf: (name: string) => string };
  /** The same figures stand beside it for everybody. */
  isTabled?: boolean;
}

const INK = 'var(--mui-palette-text-secondary)';
const TICK = { fill: INK, fontSize: 12 };
const NAMES_PX = 130;
const AMOUNTS_PX = 80;
/** The longest label of a day, `2026-11`, with some room. */
const LABEL_PX = 56;
const UNSEEN = { position: 'absolute', width: 1, height: 1, overflow: 'hidden', clipPath: 'inset(50%)' } as const;

export function CostChart({
  rows,
  currency,
  height,
  label,
  labels,
  isLying = false,
  isTabled = false,
}: CostChartProps) {
  const [widthPx, setWidthPx] = useState(0);
  const most = Math.max(1, Math.floor((widthPx - AMOUNTS_PX) / LABEL_PX));
  // A bar's length needs no exactness; every figure that is read is the exact one.
  const data = rows.map((row) => ({ ...row, value: Number(row.total) }));
  // Cents alone would be the same at each line where little was spent.
  const amountTick = (value: number) => rateText(value.toFixed(6), currency);
  const amounts = { type: 'number', tick: TICK, stroke: INK, tickFormatter: amountTick } as const;
  const names = { type: 'category', dataKey: 'name', tick: TICK, stroke: INK } as const;
  return (
    <>
      <Box aria-hidden sx={{ height }}>
        <ResponsiveContainer width="100%" height="100%" onResize={setWidthPx}>
          <BarChart
            data={data}
            layout={isLying ? 'vertical' : 'horizontal'}
            margin={{ top: 8, right: 16 }}
            accessibilityLayer={false}
          >
            <CartesianGrid stroke="var(--mui-palette-divider)" vertical={isLying} horizontal={!isLying} />
            {isLying ? (
              <XAxis {...amounts} />
            ) : (
              <XAxis
                {...names}
                {...(labels && { ticks: evenly(labels.labelled, most), tickFormatter: labels.textOf, interval: 0 })}
              />
            )}
            {isLying ? <YAxis {...names} width={NAMES_PX} /> : <YAxis {...amounts} width={AMOUNTS_PX} />}
            <Tooltip
              cursor={{ fill: 'var(--mui-palette-action-hover)' }}
              content={({ active, payload }) => {
                const row = payload?.[0]?.payload as CostRow | undefined;
                return active && row ? <RowTooltip row={row} currency={currency} /> : null;
              }}
            />
            <Bar
              dataKey="value"
              fill="var(--mui-palette-primary-main)"
              radius={2}
              maxBarSize={36}
              isAnimationActive={false}
            />
          </BarChart>
        </ResponsiveContainer>
      </Box>
      {!isTabled && <CostTable rows={rows} currency={currency} label={label} />}
    </>
  );
}

const RowTooltip = ({ row, currency }: { row: CostRow; currency: string }) => (
  <Paper variant="outlined" sx={{ px: 1.5, py: 1 }}>
    <Typography variant="body2" color="text.secondary">
      {row.name}
    </Typography>
    <Typography sx={{ fontWeight: 600 }}>{rateText(row.total, currency)}</Typography>
  </Paper>
);

/** Heard, not seen: a chart's figures. */
function CostTable({ rows, currency, label }: Pick<CostChartProps, 'rows' | 'currency' | 'label'>) {
  const t = useBillingWords();
  const ui = useUiWords();
  return (
    <div style={UNSEEN}>
      <table>
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">{ui('fields.name')}</th>
            <th scope="col">{t('usage.cost')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, total }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{rateText(total, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
