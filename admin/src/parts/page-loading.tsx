// What stands in for a page whose program is on its way. It says so from its first moment; react-admin's words come after a second.
import Box from '@mui/material/Box';
import { Loading } from 'react-admin';

export const PageLoading = () => (
  <Box aria-busy>
    <Loading />
  </Box>
);
