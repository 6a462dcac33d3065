// What stands in for a page that is on its way, from its first moment: its shape.
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Skeleton from '@mui/material/Skeleton';

/** Widths of facts, in %: unlike each other, as words are. */
const FACTS = [38, 52, 30, 46, 24] as const;

export function PageLoading() {
  const ui = useUiWords();
  return (
    <Box role="status" aria-busy aria-label={ui('states.loading')} sx={{ display: 'grid', gap: 2, py: 1 }}>
      <Skeleton variant="rounded" width={220} height={20} />
      <Card sx={{ p: 2, display: 'grid', gap: 2.5 }}>
        {FACTS.map((percent) => (
          <Box key={percent} sx={{ display: 'grid', gridTemplateColumns: '12rem minmax(0, 1fr)', gap: 2 }}>
            <Skeleton variant="rounded" width="60%" height={10} />
            <Skeleton variant="rounded" width={`${percent}%`} height={10} />
          </Box>
        ))}
      </Card>
    </Box>
  );
}
