// Content that only the server renders: a browser keeps what the page has, and loads neither the text again nor what rendered it.
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

const KEPT = { __html: '' };

/** `typeof window` is a constant of each build, so that a caller's expression for `children` is left out of the client with its imports. */
export const Kept = ({ children }: { children: ReactNode }) =>
  typeof window === 'undefined' ? (
    <Box sx={SX}>{children}</Box>
  ) : (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: React leaves the server's content when this differs, and sets nothing
    <Box sx={SX} suppressHydrationWarning dangerouslySetInnerHTML={KEPT} />
  );

/** Marks of direction within do not reach the text around it. */
const SX = { unicodeBidi: 'isolate' } as const;
