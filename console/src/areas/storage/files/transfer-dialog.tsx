// Moves or copies entries to another folder of the disk: where to, what happens to names that exist, and how far it is.

import type { FileEntry } from '@gantry/contract/areas/instances/files.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { sentenceOf } from '@gantry/ui/client/api-problem.ts';
import { keyOf, useApi } from '@gantry/ui/client/use-api.tsx';
import { holdReload } from '@gantry/ui/session/hold-reload.ts';
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormLabel from '@mui/material/FormLabel';
import LinearProgress from '@mui/material/LinearProgress';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { FormDialog } from '../../../parts/form-dialog.tsx';
import { useStorageWords } from '../use-storage-words.ts';
import { shownName, tidyPath } from './file-path.ts';
import {
  CONFLICT_RULES,
  type ConflictRule,
  type Transfer,
  type TransferOutcome,
  transferEach,
} from './transfer-each.ts';

interface TransferDialogProps {
  how: 'move' | 'copy';
  disk: string;
  folder: string;
  entries: readonly FileEntry[];
  onClose: () => void;
}

export function TransferDialog({ how, disk, folder, entries, onClose }: TransferDialogProps) {
  const t = useStorageWords();
  const toast = useToast();
  const [target, setTarget] = useState(folder);
  const [rule, setRule] = useState<ConflictRule>('skip');
  const [outcome, setOutcome] = useState<TransferOutcome>();
  // Refused entries are tried again; finished ones are not.
  const left = outcome?.refused.map(({ entry }) => entry) ?? entries;
  const { run, count, stop } = useTransfer(how, disk, folder);
  const id = useId();
  const to = tidyPath(target);
  // A copy beside the original needs another name.
  const isSame = to === folder && (how === 'move' || rule !== 'both');
  const [only, second] = entries;
  const title =
    only && !second
      ? t(how === 'move' ? 'ask.move' : 'ask.copy', { name: shownName(only) })
      : t(how === 'move' ? 'ask.moveMany' : 'ask.copyMany', { smart_count: entries.length });
  const go = () =>
    run.mutate(
      { entries: left, to, rule },
      {
        onSuccess: (result) => {
          if (result.refused.length > 0) return setOutcome(result);
          toast.success(t('transfer.transferred', { done: result.done, skipped: result.skipped }));
          onClose();
        },
      },
    );
  const errors = run.isPending
    ? undefined
    : outcome?.refused.map(({ entry, sentence }) => `${shownName(entry)}: ${sentence}`).join('\n');
  return (
    <FormDialog
      title={title}
      submitLabel={t(how === 'move' ? 'files.move' : 'files.copy')}
      isBusy={run.isPending}
      isDisabled={isSame}
      error={errors ?? (run.error && run.error.name !== 'AbortError' ? sentenceOf(run.error) : undefined)}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSame && !run.isPending) go();
      }}
      onClose={() => {
        stop();
        onClose();
      }}
    >
      <TextField
        label={t('ask.target')}
        helperText={t('ask.targetHelp')}
        value={target}
        autoFocus
        disabled={run.isPending}
        autoComplete="off"
        onChange={(event) => setTarget(event.target.value)}
      />
      <div>
        <FormLabel id={id}>{t('ask.conflict')}</FormLabel>
        <RadioGroup aria-labelledby={id} value={rule} onChange={(_, value) => setRule(value as ConflictRule)}>
          {CONFLICT_RULES.map((each) => (
            <FormControlLabel
              key={each}
              value={each}
              disabled={run.isPending}
              control={<Radio size="small" />}
              label={t(`ask.rules.${each}`)}
            />
          ))}
        </RadioGroup>
      </div>
      {run.isPending && (
        <div aria-live="polite">
          <Typography variant="body2">{t('transfer.progress', { done: count, all: left.length })}</Typography>
          <LinearProgress
            {...(left.length > 1 && { variant: 'determinate', value: (count / left.length) * 100 })}
            aria-label={title}
          />
        </div>
      )}
    </FormDialog>
  );
}

/** Closing the page or the dialog stops it; the entry on its way is then not moved or copied. */
function useTransfer(how: 'move' | 'copy', disk: string, folder: string) {
  const api = useApi();
  const client = useQueryClient();
  const [count, setCount] = useState(0);
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const run = useMutation({
    mutationFn: async ({ entries, to, rule }: Pick<Transfer, 'entries' | 'to' | 'rule'>) => {
      const ending = new AbortController();
      abort.current = ending;
      setCount(0);
      const letGo = holdReload();
      try {
        return await transferEach({
          entries,
          from: folder,
          to,
          rule,
          signal: ending.signal,
          send(path, target, overwrite) {
            const input = { params: { id: disk }, body: { path, to: target, overwrite } };
            const options = { signal: ending.signal };
            return how === 'move'
              ? api.call(CALLS.renameFile, input, options)
              : api.call(CALLS.copyFile, input, options);
          },
          onProgress: setCount,
        });
      } finally {
        letGo();
      }
    },
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(CALLS.listFiles) }),
  });
  return { run, count, stop: () => abort.current?.abort() };
}
