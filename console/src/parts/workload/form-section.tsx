// A part of the form: its subject, and its fields. Within `FormFolds` it is one line that says what is set, and opens.
import ExpandMore from '@mui/icons-material/ExpandMore';
import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { createContext, type ReactNode, use, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { useFormState } from 'react-hook-form';
import { useLocation } from 'react-router';
import { useWorkloadWords } from './use-workload-words.ts';

interface FormSectionProps {
  title: string;
  hint?: string;
  /** The fragment of an address, after `#`, that leads to this part. */
  anchor?: string;
  /** What is set in it, in one line; empty: nothing. Absent: it is always open. */
  summary?: string;
  children: ReactNode;
}

const InFolds = createContext(false);

/** Parts that most people leave as they are: one below the other, closed. */
export const FormFolds = ({ children }: { children: ReactNode }) => (
  <InFolds value>
    <Paper variant="outlined" sx={{ minWidth: 0, '& > section + section': { borderTop: 1, borderColor: 'divider' } }}>
      {children}
    </Paper>
  </InFolds>
);

export function FormSection({ summary, ...props }: FormSectionProps) {
  return use(InFolds) && summary !== undefined ? <Folded {...props} summary={summary} /> : <Open {...props} />;
}

/** Whether the address leads here; then the part is focused, once the page has rendered. */
function useIsGoal(anchor: string | undefined, section: { current: HTMLElement | null }): boolean {
  const { hash } = useLocation();
  const isGoal = anchor !== undefined && hash === `#${anchor}`;
  // The page renders after its address: the browser does not find the part on its own.
  useEffect(() => {
    if (isGoal) section.current?.focus();
  }, [isGoal, section]);
  return isGoal;
}

function Open({ title, hint, anchor, children }: Omit<FormSectionProps, 'summary'>) {
  const id = useId();
  const section = useRef<HTMLDivElement>(null);
  const isGoal = useIsGoal(anchor, section);
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
      <Fields hint={hint}>{children}</Fields>
    </Paper>
  );
}

function Folded({ title, hint, anchor, summary = '', children }: FormSectionProps) {
  const t = useWorkloadWords();
  const id = useId();
  const section = useRef<HTMLDivElement>(null);
  const details = useRef<HTMLDetailsElement>(null);
  const isGoal = useIsGoal(anchor, section);
  // All of it is in the page, so that an error leads to its field: the part with the field opens.
  const { errors, submitCount } = useFormState();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try to send the form looks again
  useLayoutEffect(() => {
    const element = details.current;
    if (element && (isGoal || element.querySelector('[aria-invalid="true"]'))) element.open = true;
  }, [errors, submitCount, isGoal]);
  return (
    <Box
      ref={section}
      component="section"
      aria-labelledby={id}
      {...(isGoal && { tabIndex: -1 })}
      sx={{ scrollMarginTop: 80 }}
    >
      <Box component="details" ref={details} sx={{ '&[open] > summary > svg': { transform: 'rotate(180deg)' } }}>
        <Box
          component="summary"
          sx={{
            display: 'grid',
            gridTemplateColumns: { xs: 'minmax(0, 1fr) auto', sm: '14rem minmax(0, 1fr) auto' },
            columnGap: 2,
            alignItems: 'center',
            px: { xs: 2, md: 3 },
            py: 1.25,
            minHeight: 48,
            boxSizing: 'border-box',
            cursor: 'pointer',
            listStyle: 'none',
            '&::-webkit-details-marker': { display: 'none' },
            '&:hover': { bgcolor: 'action.hover' },
          }}
        >
          <Typography variant="h2" id={id} sx={{ fontSize: '0.875rem' }}>
            {title}
          </Typography>
          <Typography
            variant="body2"
            color="text.secondary"
            noWrap
            sx={{ gridRow: { xs: 2, sm: 'auto' }, gridColumn: { xs: 1, sm: 'auto' } }}
          >
            {summary === '' ? t('form.unset') : summary}
          </Typography>
          <ExpandMore fontSize="small" sx={{ color: 'text.secondary', gridRow: 1, gridColumn: { xs: 2, sm: 3 } }} />
        </Box>
        <Box sx={{ px: { xs: 2, md: 3 }, pb: 3 }}>
          <Fields hint={hint}>{children}</Fields>
        </Box>
      </Box>
    </Box>
  );
}

const Fields = ({ hint, children }: { hint: string | undefined; children: ReactNode }) => (
  <>
    {hint !== undefined && (
      <Typography variant="body2" color="text.secondary" sx={{ mt: 0.5 }}>
        {hint}
      </Typography>
    )}
    <Box sx={{ mt: 2, display: 'flex', flexDirection: 'column', gap: 2 }}>{children}</Box>
  </>
);
