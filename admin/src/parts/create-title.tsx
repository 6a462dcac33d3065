// The heading of a page that makes a row: "Create Help article", in the reader's language.
import Typography from '@mui/material/Typography';
import { useResourceContext, useTranslate } from 'react-admin';
import { useTableWords } from '../table-words.ts';
import { tableNameOf } from '../tables.ts';

export function CreateTitle() {
  const { one } = useTableWords(tableNameOf(useResourceContext() ?? ''));
  const translate = useTranslate();
  return (
    <Typography variant="h1" sx={{ mb: 2 }}>
      {translate('ra.action.create_item', { item: one })}
    </Typography>
  );
}
