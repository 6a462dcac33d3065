// The body of a money document: its fields, and the entries of the ledger behind it.
import type { AdminTableName } from '@gantry/contract/http/admin-tables.ts';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { tableOf } from '../tables.ts';
import { FactList } from './fact-list.tsx';
import { PartList } from './part-list.tsx';
import { useBillingWords } from './use-billing-words.ts';

/** Both sides of each transfer; whose it is, the page says. */
export const ENTRY_COLUMNS = ['date', 'type', 'debit', 'credit', 'amount', 'document', 'reason'];

interface DocumentBodyProps {
  name: AdminTableName;
  /** The field of an entry that names this document. */
  entries?: string;
  /** Fields that are not shown. */
  without?: readonly string[];
}

export function DocumentBody({ name, entries, without = [] }: DocumentBodyProps) {
  const t = useBillingWords();
  const fields = Object.keys(tableOf(name).fields).filter((field) => !without.includes(field));
  return (
    <>
      <Card sx={{ p: 2 }}>
        <FactList name={name} fields={fields} />
      </Card>
      {entries !== undefined && (
        <section>
          <Typography variant="h2" sx={{ mb: 1 }}>
            {t('entries')}
          </Typography>
          <PartList name="ledger-entries" target={entries} columns={ENTRY_COLUMNS} />
        </section>
      )}
    </>
  );
}
