// Many series over time. Lines differ in their dashes, too, not in their colours alone; whatever it shows stands in the table below it.

import { timeText } from '@gantry/ui/format/time.ts';
import { axisText, axisUnit } from '@gantry/ui/format/time-range.ts';
import Box from '@mui/material/Box';
import { useColorScheme } from '@mui/material/styles';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { SCREEN_THEMES } from '../screen-colors.ts';
import type { Line } from './line.ts';

export interface Marks {
  /** Values that rules compare with: dashed lines across. */
  readonly limits?: readonly number[];
  /** When something lasted: shaded from top to bottom. */
  readonly spans?: readonly { readonly fromMs: number; readonly toMs: number }[];
}

interface DenseChartProps extends Marks {
  startMs: number;
  stepMs: number;
  lines: readonly Line[];
  /** The word for it. */
  timeLabel: string;
  textOf: (value: number) => string;
  /** A part of it was chosen; both are the same for one point. */
  onZoom: (startMs: number, endMs: number) => void;
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
/** All charts of a page show the same moment. */
const TOGETHER = 'metrics';

export function DenseChart({
  startMs,
  stepMs,
  lines,
  timeLabel,
  textOf,
  limits = NONE,
  spans = NONE,
  onZoom,
}: DenseChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const zoom = useRef(onZoom);
  zoom.current = onZoom;
  const { mode, systemMode } = useColorScheme();
  const palette = SCREEN_THEMES[(mode === 'system' ? systemMode : mode) === 'dark' ? 'dark' : 'light'];
  useEffect(() => {
    const place = box.current;
    if (!place) return;
    const times = Array.from({ length: lines[0]?.points.length ?? 0 }, (_, at) => (startMs + at * stepMs) / 1_000);
    const unit = axisUnit(times.length * stepMs);
    const grid = { stroke: `${palette.foreground}22`, width: 1 };
    const chart = new uPlot(
      {
        width: place.clientWidth,
        height: HEIGHT_PX,
        cursor: { sync: { key: TOGETHER }, drag: { x: true, y: false, setScale: false } },
        series: [
          { label: timeLabel, value: (_, at) => (at === null ? '' : timeText(at * 1_000)) },
          ...lines.map(({ name }, at) => ({
            label: name,
            stroke: palette[COLOURS[at % COLOURS.length] ?? 'blue'],
            dash: DASHES[Math.floor(at / COLOURS.length) % DASHES.length] ?? [],
            width: 2,
            value: (_: uPlot, value: number | null) => (value === null ? '–' : textOf(value)),
          })),
        ],
        axes: [
          { stroke: palette.foreground, grid, values: (_, splits) => splits.map((at) => axisText(at * 1_000, unit)) },
          { stroke: palette.foreground, grid, size: AXIS_PX, values: (_, splits) => splits.map(textOf) },
        ],
        ...(limits.length > 0 && {
          scales: {
            y: {
              range: (_: uPlot, least: number | null, most: number | null) =>
                uPlot.rangeNum(
                  Math.min(least ?? Infinity, ...limits),
                  Math.max(most ?? -Infinity, ...limits),
                  ROOM,
                  true,
                ),
            },
          },
        }),
        hooks: {
          drawClear: [
            ({ ctx, bbox, valToPos }) => {
              ctx.fillStyle = `${palette.red}33`;
              for (const { fromMs, toMs } of spans) {
                const [from, to] = [fromMs, toMs].map((at) => valToPos(at / 1_000, 'x', true)) as [number, number];
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
                const time = typeof at === 'number' ? data[0][at] : undefined;
                if (time !== undefined) zoom.current(time * 1_000, time * 1_000);
              }),
          ],
          setSelect: [
            ({ select: { left, width }, posToVal }) => {
              if (width < LEAST_ZOOM_PX) return;
              zoom.current(posToVal(left, 'x') * 1_000, posToVal(left + width, 'x') * 1_000);
            },
          ],
        },
      },
      [times, ...lines.map(({ points }) => [...points])],
      place,
    );
    const resized = new ResizeObserver(() => chart.setSize({ width: place.clientWidth, height: HEIGHT_PX }));
    resized.observe(place);
    return () => {
      resized.disconnect();
      chart.destroy();
    };
  }, [startMs, stepMs, lines, timeLabel, textOf, palette, limits, spans]);
  return <Box ref={box} aria-hidden sx={{ minWidth: 0, overflow: 'hidden', '& .u-legend': { fontSize: 12 } }} />;
}
