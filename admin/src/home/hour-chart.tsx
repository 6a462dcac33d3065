// Starts and failures by the hour, as bars; the failures are hatched. An hour that nobody counted has no bar and no zero.
import type { Overview } from '@gantry/contract/areas/admin/admin-home.ts';
import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import { Bar, BarChart, CartesianGrid, Legend, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { useHomeWords } from '../parts/use-home-words.ts';
import { hourText } from './hour-text.ts';

type Hours = NonNullable<Overview['computing']>['hours'];

const INK = 'var(--mui-palette-text-secondary)';
const TICK = { fill: INK, fontSize: '0.85em' };
const HATCH = 'gantry-failures';

export function HourChart({ hours }: { hours: Hours }) {
  const t = useHomeWords();
  const names = { starts: t('hours.starts'), failures: t('hours.failures') };
  return (
    <Box aria-hidden sx={{ height: 240 }}>
      <ResponsiveContainer width="100%" height="100%">
        <BarChart data={[...hours]} accessibilityLayer={false} margin={{ top: 8, right: 8 }}>
          <defs>
            <pattern id={HATCH} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <rect width="3" height="6" fill="var(--mui-palette-error-main)" />
            </pattern>
          </defs>
          <CartesianGrid stroke="var(--mui-palette-divider)" vertical={false} />
          <XAxis
            dataKey="at"
            tickFormatter={hourText}
            tick={TICK}
            stroke={INK}
            interval="preserveStartEnd"
            minTickGap={24}
          />
          <YAxis allowDecimals={false} tick={TICK} stroke={INK} width={40} />
          <Legend
            formatter={(name: string) => <span style={{ color: INK }}>{names[name as keyof typeof names]}</span>}
          />
          <Tooltip
            cursor={{ fill: 'var(--mui-palette-action-hover)' }}
            content={({ active, payload }) => {
              const hour = payload?.[0]?.payload as Hours[number] | undefined;
              if (!active || !hour) return null;
              return (
                <Paper variant="outlined" sx={{ px: 1.5, py: 1 }}>
                  <strong>{hourText(hour.at)}</strong>
                  <div>
                    {names.starts}: {hour.starts ?? t('noData')}
                  </div>
                  <div>
                    {names.failures}: {hour.failures ?? t('noData')}
                  </div>
                </Paper>
              );
            }}
          />
          <Bar dataKey="starts" fill="var(--mui-palette-primary-main)" isAnimationActive={false} />
          <Bar
            dataKey="failures"
            fill={`url(#${HATCH})`}
            stroke="var(--mui-palette-error-main)"
            isAnimationActive={false}
          />
        </BarChart>
      </ResponsiveContainer>
    </Box>
  );
}
