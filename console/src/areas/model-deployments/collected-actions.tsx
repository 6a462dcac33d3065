// Requests and answers that were collected: how much, and to save or to delete it. Of one file, or of all of a deployment.

import type { CollectedFileView, CollectedSetView } from '@gantry/contract/areas/models/collected.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { sentenceOf } from '@gantry/ui/client/api-problem.ts';
import { useApi, useCommand } from '@gantry/ui/client/use-api.tsx';
import { bytesText } from '@gantry/ui/format/size.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { saveFile } from '../../parts/save-file.ts';
import { MakeDatasetDialog } from './make-dataset-dialog.tsx';
import { useDeploymentWords } from './use-deployment-words.ts';

interface CollectedProps {
  /** The id of the deployment. */
  id: string;
  /** What people call it; absent where nobody knows that any more. */
  deploymentName?: string | null | undefined;
  /** The id of one file; all of them where absent. */
  file?: string;
  /** How many requests it has; absent where nobody has counted them. */
  records?: number | undefined;
}

export function CollectedActions({ id, deploymentName, file, records }: CollectedProps) {
  const t = useDeploymentWords();
  const ui = useUiWords();
  const api = useApi();
  const toast = useToast();
  const [isSaving, setSaving] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const [isMaking, setMaking] = useState(false);
  const input = { params: { id }, query: file === undefined ? {} : { file } };
  const name = file ?? id;
  const remove = useCommand(CALLS.deleteCollected, {
    isQuiet: true,
    invalidates: [CALLS.listCollected, CALLS.listCollectedFiles],
    onSuccess: () => setAsked(false),
  });
  const save = async () => {
    setSaving(true);
    try {
      const response = await api.send(CALLS.downloadCollected, input);
      saveFile(await response.blob(), `${name}.jsonl`);
    } catch (error) {
      toast.error(sentenceOf(error));
    } finally {
      setSaving(false);
    }
  };
  return (
    <>
      {file === undefined && (
        <Guarded node="importDatasetFromCollected">
          <Button size="small" aria-label={t('collected.makeDatasetOf', { name })} onClick={() => setMaking(true)}>
            {t('collected.makeDataset')}
          </Button>
        </Guarded>
      )}
      <Button
        size="small"
        loading={isSaving}
        aria-label={t('collected.downloadOf', { name })}
        onClick={() => void save()}
      >
        {t('collected.download')}
      </Button>
      <Button size="small" color="error" aria-label={t('collected.deleteOf', { name })} onClick={() => setAsked(true)}>
        {ui('actions.delete')}
      </Button>
      {isMaking && <MakeDatasetDialog deployment={id} name={deploymentName ?? id} onClose={() => setMaking(false)} />}
      {isAsked && (
        <ConfirmDialog
          title={t('collected.deleteOf', { name })}
          lost={[records === undefined ? t('collected.lostAll') : t('collected.lost', { smart_count: records })]}
          confirmLabel={ui('actions.delete')}
          isDangerous
          isBulk={file === undefined}
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(input)}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}

/** How much there is, and of which time. */
export function useSumColumns() {
  const t = useDeploymentWords();
  const ui = useUiWords();
  type Row = CollectedFileView | CollectedSetView;
  return [
    {
      label: t('collected.time'),
      cell: ({ first_time: first, last_time: last }: Row) => `${timeText(first)} – ${timeText(last)}`,
    },
    { label: t('collected.records'), cell: ({ records }: Row) => records, isEnd: true },
    { label: t('collected.leftOut'), cell: ({ left_out: leftOut }: Row) => leftOut, isEnd: true },
    { label: ui('fields.size'), cell: ({ size_bytes: size }: Row) => bytesText(size), isEnd: true },
  ];
}
