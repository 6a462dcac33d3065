// Many series over time, or over steps. Lines differ in their dashes, too, not in their colours alone; whatever it shows stands in the
// table below it.
import Box from '@mui/material/Box';
import { useColorScheme } from '@mui/material/styles';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { SCREEN_THEMES } from '../screen-colors.ts';
import type { Line } from './line.ts';

/** What the points of all lines are at. */
export interface Axis {
  /** The word for it. */
  readonly label: string;
  /** Of each point; time in seconds. */
  readonly places: readonly number[];
  readonly isTime: boolean;
  /** One place in full. */
  readonly textOf: (place: number) => string;
  /** One below the axis. */
  readonly shortOf: (place: number) => string;
}

interface PlotProps {
  axis: Axis;
  lines: readonly Line[];
  textOf: (value: number) => string;
  /** Values that rules compare with: dashed lines across. */
  limits?: readonly number[];
  /** Places between which something lasted: shaded from top to bottom. */
  spans?: readonly (readonly [from: number, to: number])[];
  /** All charts of a page that show the same place. */
  together: string;
  /** A part of it was chosen; both are the same for one point. Absent: the chart shows that part, and all of it on a double click. */
  onChosen?: (from: number, to: number) => void;
}

const HEIGHT_PX = 220;
const AXIS_PX = 84;
const LEAST_ZOOM_PX = 6;
const COLOURS = ['blue', 'red', 'green', 'magenta', 'yellow', 'cyan'] as const;
const NONE: readonly never[] = [];
const LIMIT_DASH = [6, 6];
/** Lines around it stay in sight, too. */
const ROOM = 0.1;
const DASHES = [[], [8, 4], [2, 3], [12, 4, 2, 4], [5, 5]];

export function Plot({ axis, lines, textOf, limits = NONE, spans = NONE, together, onChosen }: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const chosen = useRef(onChosen);
  chosen.current = onChosen;
  const isAsked = onChosen !== undefined;
  const { mode, systemMode } = useColorScheme();
  const palette = SCREEN_THEMES[(mode === 'system' ? systemMode : mode) === 'dark' ? 'dark' : 'light'];
  useEffect(() => {
    const place = box.current;
    if (!place) return;
    const { label, places, isTime, textOf: placeOf, shortOf } = axis;
    const grid = { stroke: `${palette.foreground}22`, width: 1 };
    const chart = new uPlot(
      {
        width: place.clientWidth,
        height: HEIGHT_PX,
        cursor: { sync: { key: together }, drag: { x: true, y: false, setScale: !isAsked } },
        series: [
          { label, value: (_, at) => (at === null ? '' : placeOf(at)) },
          ...lines.map(({ name, isSparse = false }, at) => ({
            label: name,
            stroke: palette[COLOURS[at % COLOURS.length] ?? 'blue'],
            dash: DASHES[Math.floor(at / COLOURS.length) % DASHES.length] ?? [],
            width: 2,
            spanGaps: isSparse,
            value: (_: uPlot, value: number | null) => (value === null ? '–' : textOf(value)),
          })),
        ],
        axes: [
          { stroke: palette.foreground, grid, values: (_, splits) => splits.map(shortOf) },
          { stroke: palette.foreground, grid, size: AXIS_PX, values: (_, splits) => splits.map(textOf) },
        ],
        scales: {
          x: { time: isTime },
          ...(limits.length > 0 && {
            y: {
              range: (_: uPlot, least: number | null, most: number | null) =>
                uPlot.rangeNum(
                  Math.min(least ?? Infinity, ...limits),
                  Math.max(most ?? -Infinity, ...limits),
                  ROOM,
                  true,
                ),
            },
          }),
        },
        hooks: {
          drawClear: [
            ({ ctx, bbox, valToPos }) => {
              ctx.fillStyle = `${palette.red}33`;
              for (const span of spans) {
                const [from, to] = span.map((at) => valToPos(at, 'x', true)) as [number, number];
                const left = Math.max(from, bbox.left);
                // A moment is seen, too.
                const width = Math.max(Math.min(to, bbox.left + bbox.width) - left, 2);
                if (left <= bbox.left + bbox.width) ctx.fillRect(left, bbox.top, width, bbox.height);
              }
            },
          ],
          draw: [
            ({ ctx, bbox, valToPos }) => {
              ctx.save();
              ctx.strokeStyle = palette.red;
              ctx.lineWidth = 2;
              ctx.setLineDash(LIMIT_DASH);
              for (const limit of limits) {
                const y = valToPos(limit, 'y', true);
                ctx.beginPath();
                ctx.moveTo(bbox.left, y);
                ctx.lineTo(bbox.left + bbox.width, y);
                ctx.stroke();
              }
              ctx.restore();
            },
          ],
          ready: [
            ({ over, cursor, data }) =>
              over.addEventListener('click', () => {
                const at = cursor.idx;
                const place = typeof at === 'number' ? data[0][at] : undefined;
                if (place !== undefined) chosen.current?.(place, place);
              }),
          ],
          setSelect: [
            ({ select: { left, width }, posToVal }) => {
              if (width < LEAST_ZOOM_PX) return;
              chosen.current?.(posToVal(left, 'x'), posToVal(left + width, 'x'));
            },
          ],
        },
      },
      [[...places], ...lines.map(({ points }) => [...points])],
      place,
    );
    const resized = new ResizeObserver(() => chart.setSize({ width: place.clientWidth, height: HEIGHT_PX }));
    resized.observe(place);
    return () => {
      resized.disconnect();
      chart.destroy();
    };
  }, [axis, lines, textOf, palette, limits, spans, together, isAsked]);
  return <Box ref={box} aria-hidden sx={{ minWidth: 0, overflow: 'hidden', '& .u-legend': { fontSize: 12 } }} />;
}
