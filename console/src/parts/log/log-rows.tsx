// The lines of a log: only visible ones are in the page, so that a hundred thousand stay fluid. What a program wrote becomes text
// and styles, never markup.
// biome-ignore-all lint/a11y/useSemanticElements: lines are placed by transform, which parts of a list cannot be
import { timeText } from '@gantry/ui/format/time.ts';
import { MONO } from '@gantry/ui/theme/theme.ts';
import Box from '@mui/material/Box';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, memo, useEffect, useLayoutEffect, useRef } from 'react';
import { SCREEN_COLORS } from '../screen-colors.ts';
import type { Style } from './ansi.ts';
import { type Occurrence, partsOf } from './find-in-log.ts';
import type { LogLine } from './log-lines.ts';

const LINE_PX = 20;
const OVERSCAN = 20;
const UPWARDS: readonly string[] = ['ArrowUp', 'PageUp', 'Home'];
/** Letters of a time and the space around lines. */
const AROUND_CH = 26;

interface LogRowsProps {
  label: string;
  lines: readonly LogLine[];
  longest: number;
  isWrapped: boolean;
  hasTimes: boolean;
  wanted: string;
  /** The occurrence that one is at. */
  current: Occurrence | undefined;
  isFollowed: boolean;
  /** By scrolling upwards. */
  onLeave: () => void;
}

export function LogRows(props: LogRowsProps) {
  const { label, lines, longest, isWrapped, hasTimes, wanted, current, isFollowed, onLeave } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    initialRect: { width: 0, height: innerHeight },
    estimateSize: () => LINE_PX,
    overscan: OVERSCAN,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the heights depend on them
  useLayoutEffect(() => rows.measure(), [isWrapped, hasTimes, rows]);
  const height = rows.getTotalSize();
  // After each growth, that of wrapped lines which were measured too.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end moves with the height
  useLayoutEffect(() => {
    if (isFollowed && scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight;
  }, [isFollowed, height]);
  const { line: at, from } = current ?? {};
  // Not whenever lines arrive: then it is another object of the same place.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a line may have several
  useEffect(() => {
    if (at !== undefined) rows.scrollToIndex(at, { align: 'center' });
  }, [at, from, rows]);
  const leave = () => isFollowed && onLeave();
  return (
    <Box
      ref={scroller}
      role="log"
      aria-label={label}
      aria-live="off"
      tabIndex={0}
      onWheel={({ deltaY }) => deltaY < 0 && leave()}
      onTouchMove={leave}
      // Its own bar.
      onPointerDown={({ target }) => target === scroller.current && leave()}
      onKeyDown={({ key }) => UPWARDS.includes(key) && leave()}
      sx={(theme) => ({
        ...SCREEN_COLORS.light,
        ...theme.applyStyles('dark', SCREEN_COLORS.dark),
        height: { xs: 'max(16rem, calc(100dvh - 24rem))', md: 'max(20rem, calc(100dvh - 22rem))' },
        overflow: 'auto',
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
        bgcolor: 'var(--ansi-ground)',
        color: 'var(--ansi-text)',
        font: `13px/${LINE_PX}px ${MONO}`,
        tabSize: 8,
        '& time': { color: 'text.secondary', userSelect: 'none', mr: '1ch' },
        '& mark': { bgcolor: 'var(--ansi-found)', color: 'inherit' },
        '& mark[data-current]': { outline: '2px solid var(--mui-palette-primary-main)' },
      })}
    >
      <div
        style={{
          position: 'relative',
          height,
          minWidth: '100%',
          ...(!isWrapped && { width: `${longest + AROUND_CH}ch` }),
        }}
      >
        {rows.getVirtualItems().map(({ index, start }) => {
          const line = lines[index];
          return line ? (
            <div
              key={index}
              data-index={index}
              ref={isWrapped ? rows.measureElement : undefined}
              style={{
                position: 'absolute',
                insetInline: 0,
                top: 0,
                minHeight: LINE_PX,
                padding: '0 8px',
                transform: `translateY(${start}px)`,
                whiteSpace: isWrapped ? 'pre-wrap' : 'pre',
                ...(isWrapped && { overflowWrap: 'anywhere' }),
              }}
            >
              <Line line={line} hasTime={hasTimes} wanted={wanted} at={index === at ? from : undefined} />
            </div>
          ) : null;
        })}
      </div>
    </Box>
  );
}

interface LineProps {
  line: LogLine;
  hasTime: boolean;
  wanted: string;
  /** The index in it at which the current occurrence begins. */
  at: number | undefined;
}

const Line = memo(function Line({ line, hasTime, wanted, at }: LineProps) {
  return (
    <>
      {hasTime && line.at !== null && <time dateTime={line.at}>{timeText(line.at)}</time>}
      {partsOf(line, wanted).map(({ text, style, from, found }) => {
        const css = cssOf(style);
        if (found !== undefined)
          return (
            <mark key={from} style={css} {...(found === at && { 'data-current': true })}>
              {text}
            </mark>
          );
        return (
          <span key={from} style={css}>
            {text}
          </span>
        );
      })}
    </>
  );
});

function cssOf(style: Style): CSSProperties {
  const { color, background, isBold, isDim, isItalic, isUnderlined, isStruck, isInverse } = style;
  const [text, ground] = isInverse
    ? [background ?? 'var(--ansi-ground)', color ?? 'var(--ansi-text)']
    : [color, background];
  const lines = [...(isUnderlined ? ['underline'] : []), ...(isStruck ? ['line-through'] : [])].join(' ');
  return {
    ...(text && { color: text }),
    ...(ground && { backgroundColor: ground }),
    ...(isBold && { fontWeight: 700 }),
    ...(isDim && { opacity: 0.75 }),
    ...(isItalic && { fontStyle: 'italic' }),
    ...(lines && { textDecoration: lines }),
  };
}
