// Fields of a row as labels and values.
import type { AdminTableName } from '@gantry/contract/http/admin-tables.ts';
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { useTableWords } from '../table-words.ts';
import { FieldValue } from './field-value.tsx';

export function FactList({ name, fields }: { name: AdminTableName; fields: readonly string[] }) {
  const words = useTableWords(name);
  return (
    <Box
      component="dl"
      sx={{
        m: 0,
        display: 'grid',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(140px, max-content) minmax(0, 1fr)' },
        columnGap: 3,
        rowGap: { xs: 0.5, md: 1 },
        '& dt': { color: 'text.secondary' },
        '& dd': { m: 0, mb: { xs: 1, md: 0 }, overflowWrap: 'anywhere' },
      }}
    >
      {fields.map((field) => (
        <Fact key={field} label={words.label(field)}>
          <FieldValue name={name} field={field} isWhole />
        </Fact>
      ))}
    </Box>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  );
}
