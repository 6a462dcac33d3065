// A series over the last hour, with gaps where there is no data. What it shows stands beside it as text, for everybody.
import { timeText } from '@gantry/ui/format/time.ts';
import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { Area, AreaChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import type { Axis } from './axis.ts';

interface HourChartProps {
  points: readonly (number | null)[];
  /** The time of the newest point. */
  endMs: number;
  stepMs: number;
  axis: Axis;
  height: number;
  textOf: (value: number) => string;
}

interface Point {
  at: number;
  value: number | null;
}

const INK = 'var(--mui-palette-text-secondary)';
const LINE = 'var(--mui-palette-primary-main)';
const TICK = { fill: INK, fontSize: 12 };
const TICK_MS = 10 * 60_000;

export function HourChart({ points, endMs, stepMs, axis, height, textOf }: HourChartProps) {
  const startMs = endMs - (points.length - 1) * stepMs;
  const data = points.map((value, index): Point => ({ at: startMs + index * stepMs, value }));
  return (
    <Box aria-hidden sx={{ height }}>
      <ResponsiveContainer width="100%" height="100%">
        <AreaChart data={data} margin={{ top: 8, right: 16 }} accessibilityLayer={false}>
          <CartesianGrid stroke="var(--mui-palette-divider)" vertical={false} />
          <XAxis
            type="number"
            dataKey="at"
            domain={[startMs, endMs]}
            ticks={wholeTens(startMs, endMs)}
            tickFormatter={clockOf}
            tick={TICK}
            stroke={INK}
            minTickGap={12}
          />
          <YAxis
            domain={[0, axis.top]}
            ticks={[...axis.ticks]}
            tickFormatter={axis.textOf}
            tick={TICK}
            stroke={INK}
            width={72}
            interval={0}
          />
          <Tooltip
            isAnimationActive={false}
            content={({ active, payload }) => {
              const point = payload?.[0]?.payload as Point | undefined;
              return active && point && point.value !== null ? (
                <PointTooltip at={point.at} text={textOf(point.value)} />
              ) : null;
            }}
          />
          <Area
            dataKey="value"
            stroke={LINE}
            fill={LINE}
            fillOpacity={0.15}
            strokeWidth={2}
            dot={({ cx, cy, index }) =>
              isAlone(points, index) ? <circle key={index} cx={cx} cy={cy} r={2.5} fill={LINE} /> : <g key={index} />
            }
            isAnimationActive={false}
          />
        </AreaChart>
      </ResponsiveContainer>
    </Box>
  );
}

const PointTooltip = ({ at, text }: { at: number; text: string }) => (
  <Paper variant="outlined" sx={{ px: 1.5, py: 1 }}>
    <Typography variant="body2" color="text.secondary">
      {timeText(at)}
    </Typography>
    <Typography sx={{ fontWeight: 600 }}>{text}</Typography>
  </Paper>
);

/** No line leads to a point between two gaps. */
const isAlone = (points: readonly (number | null)[], at: number): boolean =>
  typeof points[at] === 'number' && typeof points[at - 1] !== 'number' && typeof points[at + 1] !== 'number';

/** Every ten minutes of the clock. */
function wholeTens(startMs: number, endMs: number): number[] {
  const first = Math.ceil(startMs / TICK_MS) * TICK_MS;
  return Array.from({ length: Math.floor((endMs - first) / TICK_MS) + 1 }, (_, at) => first + at * TICK_MS);
}

/** "05:04" */
const clockOf = (at: number): string => timeText(at).slice(11, 16);
