// The variables that tell each worker about the others, and a command that uses them.
import { MONO } from '@gantry/ui/theme/theme.ts';
import { CopyButton } from '@gantry/ui/widgets/copy-button.tsx';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useDeployWords } from '../use-deploy-words.ts';

/** As torchrun reads them. */
const VARIABLES = ['RANK', 'WORLD_SIZE', 'MASTER_ADDR', 'MASTER_PORT'] as const;

/** torchrun reads the rest from PET_ variables of the same meaning. */
const EXAMPLE = 'torchrun --nproc-per-node=gpu train.py';

export function WorkersHelp() {
  const t = useDeployWords();
  return (
    <Box component="details">
      <Typography component="summary" variant="body2" sx={{ cursor: 'pointer' }}>
        {t('workers.help')}
      </Typography>
      <Box
        component="dl"
        sx={{ display: 'grid', gridTemplateColumns: 'auto 1fr', columnGap: 2, rowGap: 0.5, fontSize: 14 }}
      >
        {VARIABLES.map((name) => (
          <Box key={name} sx={{ display: 'contents' }}>
            <Box component="dt" sx={{ fontFamily: MONO, fontSize: 13 }}>
              {name}
            </Box>
            <Box component="dd" sx={{ m: 0 }}>
              {t(`workers.variables.${name}`)}
            </Box>
          </Box>
        ))}
      </Box>
      <Box sx={{ display: 'flex', gap: 1, alignItems: 'flex-start' }}>
        <Box
          component="code"
          sx={{
            fontFamily: MONO,
            fontSize: 13,
            bgcolor: 'action.hover',
            p: 1,
            borderRadius: 1,
            overflowWrap: 'anywhere',
          }}
        >
          {EXAMPLE}
        </Box>
        <CopyButton text={EXAMPLE} label={t('workers.example')} />
      </Box>
      <Typography variant="caption" color="text.secondary">
        {t('workers.together')}
      </Typography>
    </Box>
  );
}
