// Lines or bars over time, steps or names. The pointer and the arrow keys move one crosshair over all charts of a page; a drag
// chooses a part. Its values in words stand beside it (`chart-card.tsx`).
import Box from '@mui/material/Box';
import { type KeyboardEvent, memo, type PointerEvent, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useUiWords } from '../i18n/use-words.tsx';
import { UNSEEN } from '../widgets/unseen.ts';
import { ChartTip } from './chart-tip.tsx';
import { pointAt, useCrosshair } from './crosshair.ts';
import { CHART_COLOURS, colourOf, dashOf } from './ink.ts';
import { type Line, nearest } from './line.ts';
import { alonePoints, areaPath, linePath } from './path.ts';
import type { Places } from './places.ts';
import { tickText } from './unit-text.ts';
import { valueAxis } from './value-axis.ts';

export interface Marks {
  /** Values that rules compare with: dashed lines across. */
  readonly limits?: readonly number[];
  /** Places between which something lasted: shaded from top to bottom. */
  readonly spans?: readonly { readonly from: number; readonly to: number }[];
}

export interface ChartProps extends Marks {
  /** What screen readers call it. */
  label: string;
  places: Places;
  lines: readonly Line[];
  form?: 'lines' | 'bars';
  /** Of the values; it decides the steps of the axis. */
  unit: string;
  textOf: (value: number) => string;
  /** Below the steps of the axis; as the unit has it by default. */
  tickOf?: (value: number) => string;
  height?: number;
  /** A part of it was chosen; both are the same for one point. Absent: the chart shows that part, and all of it on a double click. */
  onZoom?: ((from: number, to: number) => void) | undefined;
}

const HEIGHT_PX = 180;
const UNMEASURED_PX = 600;
const TOP_PX = 8;
const FOOT_PX = 22;
const END_PX = 12;
const LETTER_PX = 6.6;
/** Charts above each other begin at the same edge: the crosshair is one line. */
const LEAST_LEFT_PX = 64;
const STEP_PX = 40;
const LABEL_PX = 72;
const LEAST_DRAG_PX = 6;
const FAR = 10;
const NONE: readonly never[] = [];

export function Chart({
  label,
  places,
  lines,
  form = 'lines',
  unit,
  textOf,
  tickOf,
  height = HEIGHT_PX,
  limits = NONE,
  spans = NONE,
  onZoom,
}: ChartProps) {
  const t = useUiWords();
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [part, setPart] = useState<{ from: number; to: number }>();
  const [dragged, setDragged] = useState<{ from: number; to: number }>();
  const [isSpoken, setSpoken] = useState(false);
  const crosshair = useCrosshair(places.together);
  const values = places.values;
  const plot = useMemo(
    () => layOut({ places, lines, form, unit, tickOf: tickOf ?? tickText(unit), width, height, limits, part }),
    [places, lines, form, unit, tickOf, width, height, limits, part],
  );
  const at = crosshair ? nearest(values, crosshair.place) : -1;
  const place = values[at];
  // Another chart of the page may show another time.
  const isInside = crosshair !== undefined && place !== undefined && plot.isInside(crosshair.place);
  const isMine = crosshair?.chart === id;
  const choose = (from: number, to: number) => {
    if (onZoom) onZoom(from, to);
    else if (from !== to) {
      const whole = [from, to].map((end) => values[nearest(values, end)]) as [number, number];
      if (whole[0] !== whole[1]) setPart({ from: whole[0], to: whole[1] });
    }
  };
  const pxOf = (event: PointerEvent) => event.clientX - (box.current?.getBoundingClientRect().left ?? 0);
  const move = (event: PointerEvent) => {
    const px = pxOf(event);
    setSpoken(false);
    pointAt(places.together, id, plot.placeAt(px));
    if (dragged) setDragged({ ...dragged, to: px });
  };
  const drop = (event: PointerEvent) => {
    if (!dragged) return;
    const [from, to] = [dragged.from, pxOf(event)].sort((one, other) => one - other) as [number, number];
    setDragged(undefined);
    if (to - from >= LEAST_DRAG_PX) choose(plot.placeAt(from), plot.placeAt(to));
    else if (place !== undefined) choose(place, place);
  };
  const press = (event: KeyboardEvent) => {
    const to = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      PageUp: at - FAR,
      PageDown: at + FAR,
      Home: 0,
      End: values.length - 1,
    };
    if (event.key === 'Escape' && part) setPart(undefined);
    else if (event.key === 'Escape') pointAt(places.together, id);
    else if (event.key === 'Enter' && isInside) choose(place, place);
    else if (Object.hasOwn(to, event.key)) {
      const next =
        at < 0 ? values.length - 1 : Math.max(0, Math.min(values.length - 1, to[event.key as keyof typeof to]));
      setSpoken(true);
      pointAt(places.together, id, values[next]);
    } else return;
    event.preventDefault();
  };
  return (
    <Box
      ref={box}
      role="group"
      aria-label={label}
      aria-describedby={`${id}-keys`}
      tabIndex={0}
      onKeyDown={press}
      onBlur={() => isSpoken && pointAt(places.together, id)}
      onPointerMove={move}
      onPointerLeave={() => {
        setDragged(undefined);
        pointAt(places.together, id);
      }}
      onPointerDown={(event) => {
        // A finger scrolls the page; it shows values, and chooses nothing.
        if (event.button !== 0 || event.pointerType === 'touch') return;
        event.currentTarget.setPointerCapture?.(event.pointerId);
        setDragged({ from: pxOf(event), to: pxOf(event) });
      }}
      onPointerUp={drop}
      onDoubleClick={() => setPart(undefined)}
      sx={{
        ...CHART_COLOURS,
        position: 'relative',
        height,
        minWidth: 0,
        borderRadius: 1,
        cursor: 'crosshair',
        touchAction: 'pan-y',
        userSelect: 'none',
        '& text': { fontSize: 11, fill: 'var(--mui-palette-text-secondary)', fontVariantNumeric: 'tabular-nums' },
      }}
    >
      <span id={`${id}-keys`} style={UNSEEN}>
        {t('chart.keys')}
      </span>
      <svg
        aria-hidden
        width={width}
        height={height}
        style={{ display: 'block', position: 'absolute', overflow: 'hidden' }}
      >
        <Drawing plot={plot} spans={spans} />
        {isInside && (
          <g data-crosshair={Math.round(place)}>
            <line
              x1={plot.x(place)}
              x2={plot.x(place)}
              y1={TOP_PX}
              y2={plot.floor}
              stroke="var(--mui-palette-text-secondary)"
              strokeDasharray="3 3"
            />
            {form === 'lines' &&
              lines.map(({ name, points }, index) => {
                const value = points[at];
                return value === null || value === undefined ? null : (
                  <circle
                    key={name}
                    cx={plot.x(place)}
                    cy={plot.y(value)}
                    r={3.5}
                    fill={colourOf(index)}
                    stroke="var(--mui-palette-background-paper)"
                    strokeWidth={1.5}
                  />
                );
              })}
          </g>
        )}
        {dragged && Math.abs(dragged.to - dragged.from) >= LEAST_DRAG_PX && (
          <rect
            x={Math.min(dragged.from, dragged.to)}
            width={Math.abs(dragged.to - dragged.from)}
            y={TOP_PX}
            height={plot.floor - TOP_PX}
            fill="var(--chart-1)"
            fillOpacity={0.18}
          />
        )}
      </svg>
      {isInside && isMine && (
        <ChartTip title={places.textOf(place)} lines={lines} at={at} textOf={textOf} px={plot.x(place)} width={width} />
      )}
      <span aria-live="polite" style={UNSEEN}>
        {isSpoken && isMine && isInside && spoken(places.textOf(place), lines, at, textOf, t('chart.noData'))}
      </span>
    </Box>
  );
}

const MOST_SPOKEN = 5;

const spoken = (
  place: string,
  lines: readonly Line[],
  at: number,
  textOf: (value: number) => string,
  none: string,
): string =>
  [
    place,
    ...lines.slice(0, MOST_SPOKEN).map(({ name, points }) => {
      const value = points[at];
      return `${name} ${value === null || value === undefined ? none : textOf(value)}`;
    }),
  ].join(', ');

interface LaidOut extends Pick<ChartProps, 'places' | 'lines' | 'limits' | 'unit' | 'form'> {
  tickOf: (value: number) => string;
  width: number;
  height: number;
  part: { from: number; to: number } | undefined;
}

type Plot = ReturnType<typeof layOut>;

/** Where everything is, in pixels. */
function layOut({ places, lines, form, unit, tickOf, width, height, limits = NONE, part }: LaidOut) {
  const { values } = places;
  const isBars = form === 'bars';
  const { from, to } = part ?? { from: values[0] ?? 0, to: values.at(-1) ?? 0 };
  const shown = (index: number) => (values[index] ?? 0) >= from && (values[index] ?? 0) <= to;
  const known = lines.flatMap(
    ({ points }) => points.filter((point, index) => point !== null && shown(index)) as number[],
  );
  const floor = height - FOOT_PX;
  const steps = Math.max(1, Math.min(4, Math.floor((floor - TOP_PX) / STEP_PX)));
  const axis = valueAxis(unit, [...known, ...limits, ...(isBars ? [0] : [])], steps);
  const ticks = axis.ticks.map((value) => ({ value, text: tickOf(value) }));
  const left = Math.max(LEAST_LEFT_PX, Math.ceil(Math.max(...ticks.map(({ text }) => text.length)) * LETTER_PX) + 12);
  const right = Math.max(left + 1, width - END_PX);
  // Bars stand between the places where they begin and end.
  const slot = isBars ? (right - left) / Math.max(1, values.filter((_, index) => shown(index)).length) : 0;
  const [start, end] = [left + slot / 2, right - slot / 2];
  // A single place has no distances: it stands in the middle.
  const x = (place: number) =>
    to === from ? (start + end) / 2 : start + ((place - from) / (to - from)) * (end - start);
  const y = (value: number) => floor - ((value - axis.least) / (axis.most - axis.least)) * (floor - TOP_PX);
  return {
    ...{ x, y, floor, left, right, slot, ticks, lines, limits, isBars, values, height },
    below: places
      .ticks(Math.max(2, Math.floor((right - left) / LABEL_PX)))
      .filter(({ place }) => place >= from && place <= to),
    isInside: (place: number) => place >= from && place <= to,
    placeAt: (px: number) =>
      to === from ? from : Math.max(from, Math.min(to, from + ((px - start) / (end - start)) * (to - from))),
  };
}

const GRID = 'var(--mui-palette-divider)';

/** Does not change while the pointer moves. */
const Drawing = memo(function Drawing({ plot, spans }: { plot: Plot; spans: NonNullable<Marks['spans']> }) {
  const { x, y, floor, left, right, ticks, below, lines, limits, isBars } = plot;
  const id = useId();
  return (
    <>
      <clipPath id={id}>
        <rect x={left} y={0} width={right - left + END_PX / 2} height={floor + 1} />
      </clipPath>
      {spans.map(({ from, to }) => (
        <rect
          key={`${from} ${to}`}
          x={Math.max(left, x(from))}
          // A moment is seen, too.
          width={Math.max(2, Math.min(right, x(to)) - Math.max(left, x(from)))}
          y={TOP_PX}
          height={floor - TOP_PX}
          fill="var(--mui-palette-error-main)"
          fillOpacity={0.15}
        />
      ))}
      {ticks.map(({ value, text }) => (
        <g key={value}>
          <line x1={left} x2={right} y1={y(value)} y2={y(value)} stroke={GRID} />
          <text x={left - 8} y={y(value)} dy="0.32em" textAnchor="end">
            {text}
          </text>
        </g>
      ))}
      {below.map(({ place, text }) => (
        <text key={place} x={x(place)} y={plot.height - 5} textAnchor={anchorOf(x(place), left, right)}>
          {text}
        </text>
      ))}
      <g clipPath={`url(#${id})`}>
        {lines.map((line, index) =>
          isBars ? (
            <Bars key={line.name} plot={plot} line={line} index={index} />
          ) : (
            <Curve key={line.name} plot={plot} line={line} index={index} />
          ),
        )}
        {limits.map((limit) => (
          <line
            key={limit}
            x1={left}
            x2={right}
            y1={y(limit)}
            y2={y(limit)}
            stroke="var(--mui-palette-error-main)"
            strokeWidth={1.5}
            strokeDasharray="6 6"
          />
        ))}
      </g>
    </>
  );
});

/** A label at the edge stays inside. */
const anchorOf = (px: number, left: number, right: number): 'start' | 'middle' | 'end' =>
  px > right - LABEL_PX / 4 ? 'end' : px < left + 4 ? 'start' : 'middle';

interface OneProps {
  plot: Plot;
  line: Line;
  index: number;
}

function Curve({ plot: { x, y, floor, values, lines }, line: { points, isSparse = false }, index }: OneProps) {
  const drawn = { points, places: values, isSparse, x, y };
  return (
    <>
      {lines.length === 1 && !isSparse && <path d={areaPath(drawn, floor)} fill={colourOf(index)} fillOpacity={0.12} />}
      <path
        d={linePath(drawn)}
        fill="none"
        stroke={colourOf(index)}
        strokeWidth={1.75}
        strokeDasharray={dashOf(index)}
        strokeLinejoin="round"
      />
      {alonePoints(drawn).map(([cx, cy]) => (
        <circle key={cx} data-sample cx={cx} cy={cy} r={3} fill={colourOf(index)} />
      ))}
    </>
  );
}

/** The first line is filled, each further one hatched: they differ without their colours, too. */
function Bars({ plot: { x, y, floor, slot, values, lines }, line: { points, isBad = false }, index }: OneProps) {
  const id = useId();
  const room = Math.min(36, slot * 0.72);
  const width = Math.max(1, room / lines.length - (lines.length > 1 ? 1 : 0));
  const colour = isBad ? 'var(--mui-palette-error-main)' : colourOf(index);
  return (
    <>
      {index > 0 && (
        <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="2.5" height="5" fill={colour} />
        </pattern>
      )}
      {points.map((value, at) => {
        const place = values[at];
        if (value === null || value === 0 || place === undefined) return null;
        const [top, foot] = [Math.min(y(value), y(0)), Math.max(y(value), Math.min(y(0), floor))];
        return (
          <rect
            key={place}
            x={x(place) - room / 2 + (index * room) / lines.length}
            width={width}
            y={top}
            height={Math.max(1, foot - top)}
            rx={Math.min(2, width / 2)}
            fill={index === 0 ? colour : `url(#${id})`}
            {...(index > 0 && { stroke: colour })}
          />
        );
      })}
    </>
  );
}

/** Of an element, as it is and as it becomes. */
function useWidth(box: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(UNMEASURED_PX);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setWidth(element.clientWidth || UNMEASURED_PX);
    measure();
    if (typeof ResizeObserver === 'undefined') return;
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    return () => resized.disconnect();
  }, [box]);
  return width;
}
