// The request as kubectl applies it. Values of secrets are not in it.
import { API_VERSION } from '@gantry/contract/define-kind.ts';
import { MONO } from '@gantry/ui/theme/theme.ts';
import { CopyButton } from '@gantry/ui/widgets/copy-button.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { saveFile } from '../../parts/save-file.ts';
import { Section } from '../../parts/section.tsx';
import { useDeployWords } from './use-deploy-words.ts';
import { yamlOf } from './yaml-of.ts';

export function Manifest({ kind, id, spec }: { kind: 'Job' | 'ContainerService'; id: string; spec: object }) {
  const t = useDeployWords();
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
