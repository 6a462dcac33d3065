// The limits of a token's use of models: folded away, for few need them.
import { FormNumber, FormText } from '@gantry/ui/form/fields.tsx';
import ExpandMore from '@mui/icons-material/ExpandMore';
import Accordion from '@mui/material/Accordion';
import AccordionDetails from '@mui/material/AccordionDetails';
import AccordionSummary from '@mui/material/AccordionSummary';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { Control } from 'react-hook-form';
import { useAccountWords } from '../use-account-words.ts';
import type { TypedLimits } from './typed-limits.ts';

const TWO_COLUMNS = { display: 'grid', gap: 2, gridTemplateColumns: { sm: '1fr 1fr' } };

export function FormLimits<Values extends { limits: TypedLimits }>({ control }: { control: Control<Values> }) {
  const t = useAccountWords();
  // The form's other fields do not matter here.
  const own = control as unknown as Control<{ limits: TypedLimits }>;
  return (
    <Accordion variant="outlined" disableGutters>
      <AccordionSummary expandIcon={<ExpandMore />}>{t('tokens.limits')}</AccordionSummary>
      <AccordionDetails sx={{ display: 'grid', gap: 2 }}>
        <Typography variant="body2" color="text.secondary">
          {t('tokens.limitsLead')}
        </Typography>
        <FormText
          control={own}
          name="limits.models"
          label={t('tokens.limitModels')}
          help={t('tokens.limitModelsHelp')}
          multiline
          minRows={2}
        />
        <Box sx={TWO_COLUMNS}>
          <FormNumber
            control={own}
            name="limits.requests_per_minute"
            label={t('tokens.limitRequestsMinute')}
            range={[1]}
          />
          <FormNumber control={own} name="limits.tokens_per_minute" label={t('tokens.limitTokensMinute')} range={[1]} />
          <FormNumber control={own} name="limits.tokens_per_day" label={t('tokens.limitTokensDay')} range={[1]} />
          <FormNumber control={own} name="limits.tokens_per_month" label={t('tokens.limitTokensMonth')} range={[1]} />
          <FormText
            control={own}
            name="limits.money_per_day"
            label={t('tokens.limitMoneyDay')}
            help={t('tokens.limitMoneyHelp')}
            isEmptyAbsent
          />
          <FormText
            control={own}
            name="limits.money_per_month"
            label={t('tokens.limitMoneyMonth')}
            help={t('tokens.limitMoneyHelp')}
            isEmptyAbsent
          />
        </Box>
      </AccordionDetails>
    </Accordion>
  );
}
