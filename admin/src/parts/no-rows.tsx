// A list without rows: whether there are none at all, or none that match.
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useListContext } from 'react-admin';

export function NoRows() {
  const ui = useUiWords();
  const { filterValues, setFilters } = useListContext();
  const isFiltered = Object.keys(filterValues ?? {}).length > 0;
  return (
    <Box role="status" sx={{ p: 4, textAlign: 'center' }}>
      <Typography color="text.secondary">{ui(isFiltered ? 'states.noMatch' : 'states.none')}</Typography>
      {isFiltered && <Button onClick={() => setFilters({}, {})}>{ui('states.clearFilter')}</Button>}
    </Box>
  );
}
