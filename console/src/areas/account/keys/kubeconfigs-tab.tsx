// Files for kubectl: each has the rights of one's role in this organisation's namespace, until its date or until it is revoked.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useMemo } from 'react';
import { useAccountWords } from '../use-account-words.ts';
import { CreateKubeconfigDialog } from './create-kubeconfig-dialog.tsx';
import { KeyList, useCreatorColumn } from './key-list.tsx';

export function KubeconfigsTab() {
  const t = useAccountWords();
  const creator = useCreatorColumn();
  const columns = useMemo(() => [creator], [creator]);
  return (
    <KeyList
      list={CALLS.listKubeconfigs}
      remove={CALLS.deleteKubeconfig}
      columns={columns}
      title={t('kubeconfigs.title')}
      lead={t('kubeconfigs.lead')}
      emptyTitle={t('kubeconfigs.emptyTitle')}
      emptyHint={t('kubeconfigs.emptyHint')}
      create={t('kubeconfigs.create')}
      dialog={(onClose) => <CreateKubeconfigDialog onClose={onClose} />}
      lost={[t('kubeconfigs.lost')]}
      revoke={{ label: t('kubeconfigs.revoke'), title: (name) => t('kubeconfigs.revokeTitle', { name }) }}
    />
  );
}
