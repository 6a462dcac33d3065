// The request as kubectl applies it. Values of secrets are not in it.
import { API_VERSION } from '@gantry/contract/define-kind.ts';
import { MONO } from '@gantry/ui/theme/theme.ts';
import { CopyButton } from '@gantry/ui/widgets/copy-button.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { saveFile } from '../save-file.ts';
import { Section } from '../section.tsx';
import { useWorkloadWords } from './use-workload-words.ts';
import { yamlOf } from './yaml-of.ts';

interface ManifestProps {
  kind: 'Job' | 'ContainerService' | 'DataProcess' | 'FineTune' | 'Evaluation';
  id: string;
  spec: object;
}

export function Manifest({ kind, id, spec }: ManifestProps) {
  const t = useWorkloadWords();
  const text = yamlOf({ apiVersion: API_VERSION, kind, metadata: { name: id }, spec });
  return (
    <Section
      title={t('manifest.title')}
      lead={t('manifest.lead')}
      actions={
        <>
          <CopyButton text={text} label={t('manifest.title')} />
          <Button onClick={() => saveFile(new Blob([text], { type: 'text/yaml' }), `${id}.yaml`)}>
            {t('manifest.download')}
          </Button>
        </>
      }
    >
      <Box
        component="pre"
        tabIndex={0}
        role="group"
        aria-label={t('manifest.title')}
        sx={{ m: 0, p: 2, bgcolor: 'action.hover', borderRadius: 1, overflow: 'auto', font: `13px/20px ${MONO}` }}
      >
        {text}
      </Box>
    </Section>
  );
}
