// Aliases: each with its deployments and their shares.

import type { ModelAliasView } from '@gantry/contract/areas/inference/completions.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall, useCommand, useList } from '@gantry/ui/client/use-api.tsx';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
import { CopyButton } from '@gantry/ui/widgets/copy-button.tsx';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { PlainTable } from '../../parts/plain-table.tsx';
import { useOrganization } from '../../parts/use-me.ts';
import { AliasDialog } from './alias-dialog.tsx';
import { type Share, sharesOf } from './shares.ts';
import { useModelCallsWords } from './use-model-calls-words.ts';

/** `new`: the dialog of one that is yet to be. */
type Opened = { edits: ModelAliasView | 'new' } | { removes: ModelAliasView } | undefined;

export function AliasPage() {
  const t = useModelCallsWords();
  const ui = useUiWords();
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const found = useCall(CALLS.listModelAliases, {});
  const { items: deployments, isLoading } = useList(CALLS.listDeployments, {}, { size: 1000 });
  const names = isLoading ? undefined : new Map(deployments.map(({ id, name }) => [id, name]));
  const { data: organization } = useOrganization();
  const addressOf = (name: string) => `${organization?.org_id ?? ''}/${name}`;
  const create = (
    <Guarded node="createModelAlias">
      <Button variant="contained" onClick={() => setOpened({ edits: 'new' })}>
        {t('aliases.create')}
      </Button>
    </Guarded>
  );
  return (
    <>
      <PageHeader title={t('aliases.title')} lead={t('aliases.lead')}>
        {create}
      </PageHeader>
      {found.error && !found.data && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <LoadingRows />}
      {found.data?.aliases.length === 0 && (
        <EmptyState title={t('aliases.emptyTitle')} hint={t('aliases.emptyHint')}>
          {create}
        </EmptyState>
      )}
      {found.data && found.data.aliases.length > 0 && (
        <PlainTable
          label={t('aliases.title')}
          rows={found.data.aliases}
          keyOf={({ id }) => id}
          columns={[
            {
              label: t('aliases.name'),
              cell: ({ name }) => (
                <>
                  {addressOf(name)} <CopyButton text={addressOf(name)} label={t('aliases.name')} />
                </>
              ),
            },
            { label: t('aliases.targets'), cell: (alias) => <Targets alias={alias} names={names} /> },
            {
              label: ui('fields.actions'),
              isEnd: true,
              cell: (alias) => (
                <>
                  <Guarded node="editModelAlias">
                    <Button
                      size="small"
                      aria-label={`${t('aliases.edit')}: ${alias.name}`}
                      onClick={() => setOpened({ edits: alias })}
                    >
                      {t('aliases.edit')}
                    </Button>
                  </Guarded>
                  <Guarded node="deleteModelAlias">
                    <Button
                      size="small"
                      color="error"
                      aria-label={`${t('aliases.delete')}: ${alias.name}`}
                      onClick={() => setOpened({ removes: alias })}
                    >
                      {t('aliases.delete')}
                    </Button>
                  </Guarded>
                </>
              ),
            },
          ]}
        />
      )}
      {opened && 'edits' in opened && (
        <AliasDialog
          alias={opened.edits === 'new' ? undefined : opened.edits}
          deployments={deployments}
          addressOf={addressOf}
          onClose={close}
        />
      )}
      {opened && 'removes' in opened && (
        <RemoveDialog alias={opened.removes} address={addressOf(opened.removes.name)} onClose={close} />
      )}
    </>
  );
}

/** `names`: of the deployments that there are, once they are known. */
function Targets({ alias, names }: { alias: ModelAliasView; names: ReadonlyMap<string, string> | undefined }) {
  const t = useModelCallsWords();
  const sentence = ({ deployment, percent }: Share) => {
    const name = names?.get(deployment) ?? deployment;
    if (names && !names.has(deployment)) return t('aliases.gone', { name });
    return percent === 0 ? t('aliases.fallback', { name }) : t('aliases.share', { name, percent: `${percent}` });
  };
  return (
    <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
      {sharesOf(alias.targets).map((share) => (
        <li key={share.deployment}>{sentence(share)}</li>
      ))}
    </Box>
  );
}

function RemoveDialog({ alias, address, onClose }: { alias: ModelAliasView; address: string; onClose: () => void }) {
  const t = useModelCallsWords();
  const remove = useCommand(CALLS.deleteModelAlias, { invalidates: [CALLS.listModelAliases], onSuccess: onClose });
  return (
    <ConfirmDialog
      title={t('aliases.deleteTitle', { name: alias.name })}
      lost={[t('aliases.lost', { address })]}
      confirmLabel={t('aliases.delete')}
      isDangerous
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate({ params: { id: alias.id } })}
      onClose={onClose}
    />
  );
}
