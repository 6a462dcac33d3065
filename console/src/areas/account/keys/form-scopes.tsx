// A token's rights: some of one's role. Each says what it permits.
import type { Right } from '@gantry/contract/roles.ts';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import FormLabel from '@mui/material/FormLabel';
import Typography from '@mui/material/Typography';
import { type Control, Controller, type FieldPath, type FieldValues } from 'react-hook-form';
import { useAccountWords } from '../use-account-words.ts';

interface FormScopesProps<Values extends FieldValues> {
  control: Control<Values>;
  name: FieldPath<Values>;
  rights: readonly Right[];
}

export function FormScopes<Values extends FieldValues>({ control, name, rights }: FormScopesProps<Values>) {
  const t = useAccountWords();
  return (
    <Controller
      control={control}
      name={name}
      render={({ field: { value, onChange, ref }, fieldState: { error } }) => {
        const chosen = value as readonly Right[];
        const change = (right: Right, isChosen: boolean) =>
          onChange(rights.filter((each) => (each === right ? isChosen : chosen.includes(each))));
        return (
          <FormControl component="fieldset" error={error !== undefined}>
            <FormLabel component="legend">{t('tokens.scopes')}</FormLabel>
            {rights.map((right, at) => (
              <FormControlLabel
                key={right}
                sx={{ alignItems: 'flex-start', mt: 1 }}
                control={
                  <Checkbox
                    checked={chosen.includes(right)}
                    onChange={(_, isChosen) => change(right, isChosen)}
                    slotProps={at === 0 ? { input: { ref } } : {}}
                    sx={{ pt: 0 }}
                  />
                }
                label={
                  <Box>
                    {t(`rights.${right}.name`)}
                    <Typography variant="body2" color="text.secondary">
                      {t(`rights.${right}.what`)}
                    </Typography>
                  </Box>
                }
              />
            ))}
            {error !== undefined && <FormHelperText sx={{ mx: 0 }}>{error.message}</FormHelperText>}
          </FormControl>
        );
      }}
    />
  );
}
