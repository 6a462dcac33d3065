// The refused ones of several, each with the reason.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import type { Refusal } from '../../../parts/each-by-itself.ts';
import type { Member } from '../organization-of.ts';
import { useOrganizationWords } from '../use-organization-words.ts';

export function RefusalList({ all, refused }: { all: number; refused: readonly Refusal<Member>[] }) {
  const t = useOrganizationWords();
  if (refused.length === 0) return null;
  if (all === 1) return <Alert severity="error">{refused[0]?.sentence}</Alert>;
  return (
    <Alert severity="warning">
      {t('batch.partly', { done: all - refused.length, all })}
      <Box component="ul" sx={{ my: 0.5, pl: 2.5 }}>
        {refused.map(({ item, sentence }) => (
          <li key={item.account_id}>
            {item.name}: {sentence}
          </li>
        ))}
      </Box>
    </Alert>
  );
}
