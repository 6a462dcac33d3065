// The shape of a list that is on its way: the place of the search above, and a table.
import { LoadingTable } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';

export const ListLoading = () => (
  <Box aria-busy sx={{ pt: 3 }}>
    <Skeleton variant="rounded" width={240} height={36} sx={{ mb: 1 }} />
    <LoadingTable rows={8} />
  </Box>
);
