// Tables that scroll within their own box where the window is narrow.
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { TABLE } from './table-style.ts';

type ScrolledProps = { children: ReactNode } & ({ 'aria-label': string } | { 'aria-labelledby': string });

/** The box of a wide table. What is hidden within it stays within it. */
export const Scrolled = ({ children, ...name }: ScrolledProps) => (
  <Box sx={{ overflowX: 'auto', position: 'relative' }} tabIndex={0} role="region" {...name}>
    {children}
  </Box>
);

interface Props {
  label: string;
  head: readonly string[];
  children: ReactNode;
}

export const WideTable = ({ label, head, children }: Props) => (
  <Scrolled aria-label={label}>
    <Box component="table" sx={TABLE}>
      <thead>
        <tr>
          {head.map((title, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one name, and none moves
            <th key={index} scope="col">
              <bdi>{title}</bdi>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </Box>
  </Scrolled>
);
