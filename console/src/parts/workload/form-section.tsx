// A part of the form: its subject, and its fields.
import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useLocation } from 'react-router';

interface FormSectionProps {
  title: string;
  hint?: string;
  /** The fragment of an address, after `#`, that leads to this part. */
  anchor?: string;
  children: ReactNode;
}

export function FormSection({ title, hint, anchor, children }: FormSectionProps) {
  const id = useId();
  const { hash } = useLocation();
  const section = useRef<HTMLDivElement>(null);
  const isGoal = anchor !== undefined && hash === `#${anchor}`;
  // The page renders after its address: the browser does not find the part on its own.
  useEffect(() => {
    if (isGoal) section.current?.focus();
  }, [isGoal]);
  return (
    <Paper
      ref={section}
      variant="outlined"
      component="section"
      aria-labelledby={id}
      {...(isGoal && { tabIndex: -1 })}
      sx={{ p: { xs: 2, md: 3 }, scrollMarginTop: 80 }}
    >
      <Typography variant="h2" id={id}>
        {title}
      </Typography>
      {hint !== undefined && (
        <Typography variant="body2" color="text.secondary" sx={{ mt: 0.5 }}>
          {hint}
        </Typography>
      )}
      <Box sx={{ mt: 2, display: 'flex', flexDirection: 'column', gap: 2 }}>{children}</Box>
    </Paper>
  );
}
