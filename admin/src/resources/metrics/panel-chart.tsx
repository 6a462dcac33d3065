// The series of a panel over time, told apart by their dashes too. The table below it says the newest values.
import { axisText, axisUnit } from '@gantry/ui/format/time-range.ts';
import Box from '@mui/material/Box';
import { CartesianGrid, Legend, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';

interface PanelChartProps {
  series: readonly { name: string; points: readonly (number | null)[] }[];
  startMs: number;
  stepMs: number;
  height: number;
}

const INK = 'var(--mui-palette-text-secondary)';
const TICK = { fill: INK, fontSize: 12 };
const COLOURS = ['primary', 'error', 'success', 'warning', 'info', 'secondary'];
const DASHES = ['', '8 4', '2 3', '12 4 2 4', '5 5'];

export function PanelChart({ series, startMs, stepMs, height }: PanelChartProps) {
  const length = series[0]?.points.length ?? 0;
  const unit = axisUnit(length * stepMs);
  const data = Array.from({ length }, (_, at) => ({
    at: startMs + at * stepMs,
    values: series.map(({ points }) => points[at] ?? null),
  }));
  return (
    <Box aria-hidden sx={{ height }}>
      <ResponsiveContainer width="100%" height="100%">
        <LineChart data={data} accessibilityLayer={false} margin={{ top: 8, right: 8 }}>
          <CartesianGrid stroke="var(--mui-palette-divider)" vertical={false} />
          <XAxis
            type="number"
            dataKey="at"
            domain={['dataMin', 'dataMax']}
            tickFormatter={(at: number) => axisText(at, unit)}
            tick={TICK}
            stroke={INK}
            minTickGap={32}
          />
          <YAxis tick={TICK} stroke={INK} width={48} />
          <Legend formatter={(name: string) => <span style={{ color: INK }}>{name}</span>} />
          <Tooltip isAnimationActive={false} labelFormatter={(at) => axisText(Number(at), 'clock')} />
          {series.map(({ name }, at) => (
            <Line
              key={name}
              name={name}
              dataKey={(row: { values: readonly (number | null)[] }) => row.values[at]}
              stroke={`var(--mui-palette-${COLOURS[at % COLOURS.length]}-main)`}
              strokeDasharray={DASHES[at % DASHES.length] ?? ''}
              strokeWidth={2}
              dot={false}
              isAnimationActive={false}
            />
          ))}
        </LineChart>
      </ResponsiveContainer>
    </Box>
  );
}
