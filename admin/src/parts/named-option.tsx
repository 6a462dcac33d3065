// A name, and the ID beneath: on its own, and as a row of a list to choose from.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { HTMLAttributes } from 'react';

export function NamedText({ name, id }: { name: string | undefined; id: string }) {
  return (
    <Box component="span" sx={{ display: 'inline-block', minWidth: 0, overflowWrap: 'anywhere' }}>
      {name || id}
      {name && name !== id && (
        <Typography component="span" variant="body2" color="text.secondary" sx={{ display: 'block' }}>
          {id}
        </Typography>
      )}
    </Box>
  );
}

export function NamedOption({ name, id, ...props }: HTMLAttributes<HTMLLIElement> & { name: string; id: string }) {
  return (
    <li {...props}>
      <NamedText name={name} id={id} />
    </li>
  );
}
