// The command, as a shell would read it, and the words that come of it.
import { fieldsOf } from '@gantry/ui/form/fields.tsx';
import { MONO } from '@gantry/ui/theme/theme.ts';
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { FormSection } from '../../../parts/workload/form-section.tsx';
import { splitCommand } from '../../../parts/workload/split-command.ts';
import { useDeployWords } from '../use-deploy-words.ts';
import type { ProgramValues } from './program-values.ts';

const Field = fieldsOf<ProgramValues>();

export function CommandField({ children }: { children?: ReactNode }) {
  const t = useDeployWords();
  const { control } = useFormContext<ProgramValues>();
  const words = splitCommand(useWatch({ control, name: 'command' }));
  return (
    <FormSection title={t('form.command')}>
      <Field.Text
        name="command"
        label={t('form.command')}
        help={t('form.commandHint')}
        multiline
        slotProps={{ htmlInput: { spellCheck: false, style: { fontFamily: MONO, fontSize: 14 } } }}
      />
      {words && words.length > 1 && (
        <Box component="p" sx={{ m: 0, fontSize: 13, color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {t('form.commandWords')}{' '}
          {words.map((word, at) => (
            <Box
              // biome-ignore lint/suspicious/noArrayIndexKey: a word may come twice, and none moves
              key={at}
              component="code"
              sx={{ fontFamily: MONO, bgcolor: 'action.hover', px: 0.5, mr: 0.5, borderRadius: 0.5 }}
            >
              {word}
            </Box>
          ))}
        </Box>
      )}
      {children}
    </FormSection>
  );
}
