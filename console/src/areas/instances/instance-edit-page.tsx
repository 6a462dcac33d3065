// Editing an instance: announces a restart before, and offers to start a resting one right after.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { InstanceView } from '@gantry/contract/kinds/gpu-instance.ts';
import { useCall, useCommand } from '@gantry/ui/client/use-api.tsx';
import { gibibytesText } from '@gantry/ui/format/size.ts';
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { Edited, EditFrame } from '../../parts/edit-frame.tsx';
import { isConflict, LoadAgain } from '../../parts/load-again.tsx';
import { type ChangeBody, changeOf, type InstanceValues, isReplacing, restartsBy, valuesOf } from './form-values.ts';
import { InstanceForm } from './instance-form.tsx';
import { isBegun } from './is-begun.ts';
import { StartDialog } from './start-dialog.tsx';
import { useInstanceForm } from './use-instance-form.ts';
import { useInstanceWords } from './use-instance-words.ts';

export function InstanceEditPage() {
  const t = useInstanceWords();
  const { id = '' } = useParams();
  const found = useCall(CALLS.getInstance, { params: { id } });
  return (
    <Edited found={found} title={t('form.editTitle', { name: id })}>
      {(instance, reload) => (
        <EditInstance instance={instance} read={async () => (await found.refetch()).data} onReload={reload} />
      )}
    </Edited>
  );
}

const STARTS = ['start', 'resume', 'restore'];

const isAtRest = ({ actions }: InstanceView): boolean => actions.some(({ action }) => STARTS.includes(action));

/** Neither the form's fields nor the need for an interruption differ: the change does not concern this edit. */
const isAsGood = (now: InstanceView, latest: InstanceView): boolean =>
  isAtRest(now) === isAtRest(latest) && Object.keys(changeOf(valuesOf(now), valuesOf(latest))).length === 0;

interface EditInstanceProps {
  instance: InstanceView;
  read: () => Promise<InstanceView | undefined>;
  onReload: () => Promise<void>;
}

function EditInstance({ instance, read, onReload }: EditInstanceProps) {
  const t = useInstanceWords();
  const toast = useToast();
  const go = useNavigate();
  const { id, name, actions, phase_label: label } = instance;
  // Changes are relative to the values at the beginning, whatever the stream brings meanwhile.
  const [before] = useState<InstanceValues>(() => valuesOf(instance));
  const { form, error, submit, show } = useInstanceForm(before, before);
  const [asked, setAsked] = useState<{ body: ChangeBody; now: InstanceView; restarts: boolean; replaces: boolean }>();
  const [updated, setUpdated] = useState<InstanceView>();
  const update = useCommand(CALLS.updateInstance, {
    isQuiet: true,
    success: false,
    invalidates: [CALLS.listInstances, CALLS.getInstance],
  });
  const page = `/develop/instance/${id}`;
  const isResting = isAtRest(instance);
  const canEdit = actions.some(({ action }) => action === 'edit');

  /** `now` is the state that was checked for changes by somebody else. */
  const send = async (body: ChangeBody, now: InstanceView): Promise<void> => {
    try {
      const view = await update.mutateAsync({ params: { id }, query: { generation: now.generation }, body });
      setAsked(undefined);
      if (isAtRest(view)) {
        setUpdated(view);
        return;
      }
      toast.success(t('edit.updated'));
      await go(page);
    } catch (refused) {
      setAsked(undefined);
      const latest = isConflict(refused) ? await read() : undefined;
      if (latest && latest.generation > now.generation && isAsGood(now, latest)) return send(body, latest);
      show(refused);
    }
  };
  const save = submit(async (values) => {
    const body = changeOf(before, values);
    if (Object.keys(body).length === 0) toast.info(t('form.nothingChanged'));
    else {
      const restarts = !isResting && isBegun(instance) && restartsBy(body);
      const replaces = isReplacing(before, valuesOf(instance), body);
      if (restarts || replaces) setAsked({ body, now: instance, restarts, replaces });
      else await send(body, instance);
    }
  });
  return (
    <EditFrame
      title={t('form.editTitle', { name })}
      page={page}
      waiting={canEdit || updated ? undefined : t('edit.waiting', { phase: label })}
    >
      <InstanceForm
        form={form}
        instance={id}
        error={error}
        help={isConflict(update.error) && <LoadAgain onLoad={onReload} />}
        node="gpuInstance.edit"
        submitLabel={t('form.save')}
        isBusy={update.isPending}
        canSubmit={canEdit}
        onSubmit={save}
      />
      {asked && (
        <ConfirmDialog
          title={asked.restarts ? t('edit.restartTitle') : t('edit.replaceTitle')}
          lost={[...(asked.replaces ? [t('edit.replaces')] : []), ...(asked.restarts ? [t('ask.processes')] : [])]}
          kept={
            asked.restarts
              ? [
                  t('ask.files'),
                  t('ask.home', { size: gibibytesText(instance.spec.homeDisk?.sizeGi ?? 0) }),
                  t('ask.address'),
                ]
              : []
          }
          confirmLabel={t('form.save')}
          isBusy={update.isPending}
          onConfirm={() => void send(asked.body, asked.now)}
          onClose={() => setAsked(undefined)}
        >
          {asked.restarts && t('edit.restart')}
          {asked.restarts && asked.body.disks !== undefined && ` ${t('edit.disksWait')}`}
        </ConfirmDialog>
      )}
      {updated && <StartDialog instance={updated} onDone={() => void go(page)} />}
    </EditFrame>
  );
}
