// A kubeconfig, for at most a year. The file is in this answer and nowhere else: it is saved, and the command to use it shown.

import { KEY_ROUTES, LONGEST_KUBECONFIG_DAYS } from '@gantry/contract/areas/identity/keys.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { FormText } from '@gantry/ui/form/fields.tsx';
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useLanguage, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Download from '@mui/icons-material/DownloadOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMemo, useState } from 'react';
import { FormDialog } from '../../../parts/form-dialog.tsx';
import { FormExpiry } from '../../../parts/form-expiry.tsx';
import { saveFile } from '../../../parts/save-file.ts';
import { useAccountWords } from '../use-account-words.ts';
import { SecretDialog } from './secret-dialog.tsx';

interface Typed {
  remark: string;
  expiration_time: string | undefined;
}

/** A name for the file that every system and shell takes as it is. */
const fileNameOf = (id: string): string => `gantry-${id}.yaml`;

export function CreateKubeconfigDialog({ onClose }: { onClose: () => void }) {
  const t = useAccountWords();
  const ui = useUiWords();
  const language = useLanguage();
  const resolver = useMemo(() => rulesOf<Typed>(KEY_ROUTES.createKubeconfig.body as never, language), [language]);
  const { form, error, submit } = useServerForm<Typed>({
    defaultValues: { remark: '', expiration_time: undefined },
    resolver,
  });
  const [made, setMade] = useState<{ id: string; kubeconfig: string }>();
  const create = useCommand(CALLS.createKubeconfig, {
    isQuiet: true,
    invalidates: [CALLS.listKubeconfigs],
    onSuccess: setMade,
  });
  if (made) {
    const file = fileNameOf(made.id);
    return (
      <SecretDialog
        title={t('kubeconfigs.made')}
        warning={t('kubeconfigs.once')}
        texts={[
          { label: t('kubeconfigs.howTo'), text: `kubectl --kubeconfig ~/Downloads/${file} get gpuinstances` },
          { label: t('kubeconfigs.forShell'), text: `export KUBECONFIG=~/Downloads/${file}` },
        ]}
        onClose={onClose}
      >
        <Box>
          <Button
            variant="contained"
            startIcon={<Download />}
            onClick={() => saveFile(new Blob([made.kubeconfig], { type: 'application/yaml' }), file)}
          >
            {t('kubeconfigs.download', { file })}
          </Button>
        </Box>
      </SecretDialog>
    );
  }
  return (
    <FormDialog
      title={t('kubeconfigs.create')}
      lead={t('kubeconfigs.createLead')}
      submitLabel={ui('actions.create')}
      isBusy={create.isPending}
      error={error}
      onSubmit={submit(({ remark, expiration_time = '' }) => create.mutateAsync({ body: { remark, expiration_time } }))}
      onClose={onClose}
    >
      <FormText
        control={form.control}
        name="remark"
        label={t('keys.remark')}
        help={t('kubeconfigs.remarkHelp')}
        autoFocus
        isRequired
      />
      <FormExpiry control={form.control} name="expiration_time" mostDays={LONGEST_KUBECONFIG_DAYS} />
    </FormDialog>
  );
}
