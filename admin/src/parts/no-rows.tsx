// A list without rows: whether it could not be read, there are none at all, or none that match.
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { ErrorState } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useListContext } from 'react-admin';
import { problemIn } from '../providers/problem-in.ts';

export function NoRows() {
  const ui = useUiWords();
  const { error, refetch, filterValues, setFilters } = useListContext();
  if (error) return <ErrorState error={problemIn(error)} onRetry={() => void refetch()} />;
  const isFiltered = Object.keys(filterValues ?? {}).length > 0;
  return (
    <Box role="status" sx={{ p: 4, textAlign: 'center' }}>
      <Typography color="text.secondary">{ui(isFiltered ? 'states.noMatch' : 'states.none')}</Typography>
      {isFiltered && <Button onClick={() => setFilters({}, {})}>{ui('states.clearFilter')}</Button>}
    </Box>
  );
}
