// The model's needs and the room that there is, line by line.
import Box from '@mui/material/Box';

export const Arithmetic = ({ lines }: { lines: readonly string[] }) => (
  <Box component="ul" sx={{ m: 0, pl: 2.5 }}>
    {lines.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </Box>
);
