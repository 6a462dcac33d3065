// A line of a few pixels: how a value has gone, beside the number that says how it is.
import { colourOf } from './ink.ts';
import { alonePoints, areaPath, linePath } from './path.ts';
import { valueAxis } from './value-axis.ts';

interface SparkLineProps {
  points: readonly (number | null)[];
  /** As of a chart: percentages go up to 100. */
  unit: string;
  /** The greatest value there can be; absent: the greatest there was. */
  limit?: number | null;
  width?: number;
  height?: number;
}

const WIDTH_PX = 112;
const HEIGHT_PX = 28;
const EDGE_PX = 2;

export function SparkLine({ points, unit, limit, width = WIDTH_PX, height = HEIGHT_PX }: SparkLineProps) {
  const known = points.filter((point) => point !== null);
  const { least, most } = valueAxis(unit, [...known, ...(limit ? [limit] : [])], 2);
  const last = Math.max(1, points.length - 1);
  const drawn = {
    points,
    places: points.map((_, at) => at),
    isSparse: false,
    x: (place: number) => EDGE_PX + (place / last) * (width - 2 * EDGE_PX),
    y: (value: number) => height - EDGE_PX - ((value - least) / (most - least)) * (height - 2 * EDGE_PX),
  };
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      style={{ display: 'block', width: '100%', height, '--chart-1': 'var(--mui-palette-primary-main)' } as object}
    >
      <path d={areaPath(drawn, height)} fill={colourOf(0)} fillOpacity={0.14} />
      <path d={linePath(drawn)} fill="none" stroke={colourOf(0)} strokeWidth={1.5} vectorEffect="non-scaling-stroke" />
      {alonePoints(drawn).map(([cx, cy]) => (
        <circle key={cx} cx={cx} cy={cy} r={2} fill={colourOf(0)} />
      ))}
    </svg>
  );
}
