// A cell of two lines: what matters, and what belongs to it in small letters below.
import { type CSSProperties, memo, type ReactNode } from 'react';

const CUT: CSSProperties = { overflow: 'hidden', textOverflow: 'ellipsis' };
const SECOND: CSSProperties = {
  ...CUT,
  font: 'var(--mui-font-caption)',
  lineHeight: 1.3,
  color: 'var(--mui-palette-text-secondary)',
};

interface TwoLinesProps {
  first: ReactNode;
  second: ReactNode;
  title?: string;
}

/** Plain elements: each row of a long list has several, and renders while scrolling. */
export const TwoLines = memo(function TwoLines({ first, second, title }: TwoLinesProps) {
  return (
    <div title={title} style={{ minWidth: 0, lineHeight: 1.3 }}>
      <div style={CUT}>{first}</div>
      <div style={SECOND}>{second}</div>
    </div>
  );
});
