/** Fields with their labels, in a row that wraps. */
export const FIELDS = {
  display: 'flex',
  flexWrap: 'wrap',
  gap: 2,
  alignItems: 'end',
  fontSize: 13,
  '& label': { display: 'flex', flexDirection: 'column', gap: 0.5 },
  '& input:not([type=checkbox]), & select, & button': {
    font: 'inherit',
    fontSize: 15,
    color: 'text.primary',
    bgcolor: 'background.paper',
    border: 1,
    borderColor: 'text.secondary',
    borderRadius: 1,
    px: 1,
    py: 0.75,
    minHeight: 38,
  },
} as const;
