// The commitment not to mine, in full beside its box: nobody should agree to a text they have to look for.
import { FormCheckbox } from '@gantry/ui/form/fields.tsx';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { Control, FieldPath, FieldValues } from 'react-hook-form';
import { useAccountWords } from '../use-account-words.ts';

interface CommitmentFieldProps<Values extends FieldValues> {
  control: Control<Values>;
  name: FieldPath<Values>;
}

export function CommitmentField<Values extends FieldValues>({ control, name }: CommitmentFieldProps<Values>) {
  const t = useAccountWords();
  return (
    <Box>
      <Typography variant="body2" sx={{ p: 2, bgcolor: 'action.hover', borderRadius: 1, mb: 1 }}>
        {t('realName.commitment.text')}
      </Typography>
      <FormCheckbox control={control} name={name} label={t('realName.commitment.agree')} />
    </Box>
  );
}
