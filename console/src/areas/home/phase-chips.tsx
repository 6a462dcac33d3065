// How many objects of a kind are in each phase; each count leads to those in the list.
import type { InstanceView } from '@gantry/contract/kinds/gpu-instance.ts';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import { Link } from 'react-router';
import { countsByPhase } from './in-order-of-interest.ts';

interface PhaseChipsProps {
  /** The address of the list. */
  list: string;
  objects: readonly Pick<InstanceView, 'phase' | 'phase_label' | 'tone'>[];
}

export const PhaseChips = ({ list, objects }: PhaseChipsProps) => (
  <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
    {countsByPhase(objects).map(({ phase, label, count }) => (
      <Chip
        key={label}
        component={Link}
        to={`${list}?status=${encodeURIComponent(phase)}`}
        clickable
        size="small"
        label={`${label} ${count}`}
      />
    ))}
  </Box>
);
