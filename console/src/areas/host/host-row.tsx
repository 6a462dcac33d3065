// A row of what a host has: its name, what is known of it, and its state.
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import Box from '@mui/material/Box';
import type { ComponentProps } from 'react';
import { TwoLines } from '../../parts/two-lines.tsx';

type HostRowProps = ComponentProps<typeof TwoLines> & { chip: ComponentProps<typeof PhaseChip> };

export const HostRow = ({ chip, ...lines }: HostRowProps) => (
  <Box
    component="li"
    sx={{ display: 'flex', gap: 1.5, alignItems: 'center', py: 1, borderTop: '1px solid', borderColor: 'divider' }}
  >
    <Box sx={{ flex: 1, minWidth: 0 }}>
      <TwoLines {...lines} />
    </Box>
    <PhaseChip {...chip} />
  </Box>
);
