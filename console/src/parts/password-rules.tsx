// The rules of a password, ticked off while one types.
import CheckCircle from '@mui/icons-material/CheckCircle';
import RadioButtonUnchecked from '@mui/icons-material/RadioButtonUnchecked';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { passwordRules } from './rules-of.ts';
import { usePartsWords } from './use-parts-words.ts';

export function PasswordRules({ password }: { password: string }) {
  const t = usePartsWords();
  return (
    <Box
      component="ul"
      aria-label={t('passwordRules.title')}
      sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 0.5 }}
    >
      {passwordRules(password).map(({ rule, isMet }) => (
        <Typography
          key={rule}
          component="li"
          variant="body2"
          color={isMet ? 'success.main' : 'text.secondary'}
          sx={{ display: 'flex', gap: 1, alignItems: 'center' }}
        >
          {isMet ? (
            <CheckCircle fontSize="small" titleAccess={t('passwordRules.met')} />
          ) : (
            <RadioButtonUnchecked fontSize="small" titleAccess={t('passwordRules.open')} />
          )}
          {t(`passwordRules.${rule}`)}
        </Typography>
      ))}
    </Box>
  );
}
