// Code to copy, one block for each language.
import { MONO } from '@gantry/ui/theme/theme.ts';
import { CopyButton } from '@gantry/ui/widgets/copy-button.tsx';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { CodeSample } from './code-samples.ts';

export function CodeBlocks({ samples }: { samples: readonly CodeSample[] }) {
  return samples.map(({ name, code }) => (
    // In a grid it would be as wide as its longest line.
    <Box key={name} sx={{ minWidth: 0 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between' }}>
        <Typography variant="subtitle2" component="h3">
          {name}
        </Typography>
        <CopyButton text={code} label={name} />
      </Box>
      <Box
        component="pre"
        // It scrolls sideways: whoever has no mouse does that with the keys.
        tabIndex={0}
        sx={{ m: 0, p: 1.5, overflow: 'auto', bgcolor: 'action.hover', fontFamily: MONO, fontSize: 13 }}
      >
        {code}
      </Box>
    </Box>
  ));
}
