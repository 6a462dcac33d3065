// Who answers: a model, and maybe another one beside it. People know models by name, requests by id.
import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useModelLabel } from '../../parts/use-model-names.ts';

interface ModelChoiceProps {
  label: string;
  models: readonly string[];
  chosen: string;
  /** What none is called; absent: one is needed. */
  none?: string;
  isBusy: boolean;
  onChoose: (model: string) => void;
}

export function ModelChoice({ label, models, chosen, none, isBusy, onChoose }: ModelChoiceProps) {
  const labelOf = useModelLabel();
  return (
    <TextField
      select
      size="small"
      label={label}
      value={chosen}
      disabled={isBusy}
      helperText={labelOf(chosen) === chosen ? undefined : chosen}
      slotProps={{
        select: {
          displayEmpty: none !== undefined,
          renderValue: (value) => (value === '' ? none : labelOf(value as string)),
        },
        inputLabel: { shrink: true },
      }}
      onChange={({ target }) => onChoose(target.value)}
      sx={{ flex: '0 1 16rem', minWidth: '10rem' }}
    >
      {none !== undefined && <MenuItem value="">{none}</MenuItem>}
      {models.map((id) => (
        <MenuItem key={id} value={id}>
          <Box sx={{ minWidth: 0, overflowWrap: 'anywhere', whiteSpace: 'normal' }}>
            {labelOf(id)}
            {labelOf(id) !== id && (
              <Typography component="span" variant="body2" color="text.secondary" sx={{ display: 'block' }}>
                {id}
              </Typography>
            )}
          </Box>
        </MenuItem>
      ))}
    </TextField>
  );
}
