// Rows of fields that come and go.
import Close from '@mui/icons-material/Close';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useWorkloadWords } from './use-workload-words.ts';

interface FormRowsProps<Row> {
  title: string;
  /** The section around it has the same title. */
  isAlone?: boolean;
  hint?: ReactNode;
  /** React Hook Form's field array. */
  rows: { readonly fields: readonly { id: string }[]; append(row: Row): void; remove(at: number): void };
  /** A new one; while it is undefined, none can be added. */
  blank: NoInfer<Row> | undefined;
  most?: number;
  add: string;
  cells: (at: number) => ReactNode;
  /** The columns for the cells of one row, on a wide screen and on a narrow one; two by default. */
  columns?: { xs: string; sm: string };
  canRemove?: boolean;
}

const TWO = { xs: '1fr 1fr', sm: '1fr 1fr' };

export function FormRows<Row>({
  title,
  isAlone = false,
  hint,
  rows: { fields, append, remove },
  blank,
  most = Number.POSITIVE_INFINITY,
  add,
  cells,
  columns = TWO,
  canRemove = true,
}: FormRowsProps<Row>) {
  const t = useWorkloadWords();
  return (
    <Box role="group" aria-label={title}>
      {!isAlone && <Typography variant="h3">{title}</Typography>}
      {hint !== undefined && (
        <Typography variant="body2" color="text.secondary">
          {hint}
        </Typography>
      )}
      {fields.map(({ id }, at) => (
        <Box
          key={id}
          sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr) auto', gap: 1, mt: 1.5, alignItems: 'start' }}
        >
          <Box sx={{ display: 'grid', gridTemplateColumns: columns, columnGap: 1, rowGap: 2, alignItems: 'start' }}>
            {cells(at)}
          </Box>
          <IconButton
            aria-label={t('form.remove', { number: at + 1 })}
            disabled={!canRemove}
            onClick={() => remove(at)}
          >
            <Close />
          </IconButton>
        </Box>
      ))}
      <Button
        variant="outlined"
        disabled={blank === undefined || fields.length >= most}
        onClick={() => blank !== undefined && append(blank)}
        sx={{ mt: 1.5 }}
      >
        {add}
      </Button>
    </Box>
  );
}
