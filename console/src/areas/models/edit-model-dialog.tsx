// The facts of a model that people write. Facts read from its files cannot be changed.
import type { ModelDetailView } from '@gantry/contract/areas/models/models.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { DescribeDialog } from '../../parts/files/describe-dialog.tsx';
import { useModelWords } from './use-model-words.ts';

export function EditModelDialog({ model, onClose }: { model: ModelDetailView; onClose(): void }) {
  const t = useModelWords();
  const ui = useUiWords();
  const { id, name } = model;
  const edit = useCommand(CALLS.editModel, {
    isQuiet: true,
    invalidates: [CALLS.getModel, CALLS.listModelSpace],
    onSuccess: onClose,
  });
  return (
    <DescribeDialog
      title={t('edit.title', { name })}
      submitLabel={ui('actions.save')}
      of={model}
      onSend={(body) => edit.mutateAsync({ params: { id }, body })}
      onClose={onClose}
    />
  );
}
