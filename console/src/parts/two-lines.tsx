// A cell of two lines: what matters, and what belongs to it in small letters: below, or beside it where rows are low (plain.css).
import { memo, type ReactNode } from 'react';

interface TwoLinesProps {
  first: ReactNode;
  second: ReactNode;
  title?: string;
}

/** Plain elements: each row of a long list has several, and renders while scrolling. */
export const TwoLines = memo(function TwoLines({ first, second, title }: TwoLinesProps) {
  return (
    <div className="two-lines" title={title}>
      <div>{first}</div>
      <div>{second}</div>
    </div>
  );
});
