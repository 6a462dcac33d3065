// One model: what its files say it is, its card, and its versions.

import type { ModelDetailView } from '@gantry/contract/areas/models/models.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall, useCommand } from '@gantry/ui/client/use-api.tsx';
import { numberText } from '@gantry/ui/format/number.ts';
import { bytesText } from '@gantry/ui/format/size.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
import { Markdown } from '@gantry/ui/widgets/markdown.tsx';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Link, Navigate, useNavigate, useParams } from 'react-router';
import { FactList } from '../../parts/fact-list.tsx';
import { IdWithCopy } from '../../parts/id-with-copy.tsx';
import { LineageTab } from '../../parts/lineage/lineage-tab.tsx';
import { PageTabs, tabAt } from '../../parts/page-tabs.tsx';
import { Section } from '../../parts/section.tsx';
import { isGone, UntilShown } from '../../parts/until-shown.tsx';
import { usePartsWords } from '../../parts/use-parts-words.ts';
import { AddVersionDialog } from './add-version-dialog.tsx';
import { EditModelDialog } from './edit-model-dialog.tsx';
import { ModelChip } from './model-chip.tsx';
import { ModelUses } from './model-uses.tsx';
import { countText } from './number-text.ts';
import { useModelWords } from './use-model-words.ts';
import { VersionSection } from './version-section.tsx';

const TABS = [{ name: 'overview' }, { name: 'lineage' }] as const;
/** While a version is on its way. */
const LOOK_MS = 2000;

export function ModelPage() {
  const { id = '' } = useParams();
  const [isMoving, setMoving] = useState(false);
  const { data, error, refetch } = useCall(
    CALLS.getModel,
    { params: { id } },
    isMoving ? { everyMs: LOOK_MS } : undefined,
  );
  const moves = data?.versions.some(({ state }) => state === 'importing' || state === 'checking') ?? false;
  if (moves !== isMoving) setMoving(moves);
  if (data && !isGone(error)) return <LoadedModel key={id} model={data} />;
  return <UntilShown id={id} error={error} list="/model/space" onRetry={() => void refetch()} />;
}

function LoadedModel({ model }: { model: ModelDetailView }) {
  const t = useModelWords();
  const parts = usePartsWords();
  const [asked, setAsked] = useState<'edit' | 'version' | 'delete'>();
  const { id, name, state } = model;
  const shown = tabAt(TABS, useParams().tab)?.name;
  const path = `/model/space/${id}`;
  if (!shown) return <Navigate to={path} replace />;
  return (
    <>
      <PageHeader
        title={name}
        beside={
          <span aria-live="polite">
            <ModelChip state={state} />
            {model.deployed && ` ${t('deployed')}`}
          </span>
        }
        lead={<IdWithCopy id={id} />}
      >
        {model.latest_version !== null && (
          <Guarded node="createDeployment">
            <Button
              component={Link}
              to={`/model/deployment/create?${new URLSearchParams({ model: id, version: model.latest_version })}`}
            >
              {t('deploy')}
            </Button>
          </Guarded>
        )}
        {model.is_own && <Commands onAsk={setAsked} />}
      </PageHeader>
      <PageTabs label={name} path={path} tabs={TABS} shown={shown} labelOf={(tab) => parts(`page.tabs.${tab}`)}>
        {shown === 'overview' ? <Overview model={model} /> : <LineageTab kind="model" id={id} />}
      </PageTabs>
      {asked === 'edit' && <EditModelDialog model={model} onClose={() => setAsked(undefined)} />}
      {asked === 'version' && <AddVersionDialog model={model} onClose={() => setAsked(undefined)} />}
      {asked === 'delete' && <DeleteModel model={model} onClose={() => setAsked(undefined)} />}
    </>
  );
}

function Overview({ model }: { model: ModelDetailView }) {
  const t = useModelWords();
  const { id, card, versions } = model;
  return (
    <>
      <About model={model} />
      <ModelUses id={id} />
      <Section title={t('fields.card')}>
        {card === '' ? <Typography color="text.secondary">{t('noCard')}</Typography> : <Markdown text={card} />}
      </Section>
      <Typography variant="h2" sx={{ mb: 2 }}>
        {t('fields.versions')}
      </Typography>
      {versions.length === 0 && <Typography color="text.secondary">{t('noVersion')}</Typography>}
      {versions.map((version) => (
        <VersionSection key={version.name} model={model} version={version} />
      ))}
    </>
  );
}

function Commands({ onAsk }: { onAsk(what: 'edit' | 'version' | 'delete'): void }) {
  const t = useModelWords();
  const ui = useUiWords();
  return (
    <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>
      <Guarded node="uploadModelVersion">
        <Button variant="contained" onClick={() => onAsk('version')}>
          {t('newVersion')}
        </Button>
      </Guarded>
      <Guarded node="editModel">
        <Button onClick={() => onAsk('edit')}>{ui('actions.edit')}</Button>
      </Guarded>
      <Guarded node="deleteModel">
        <Button color="error" onClick={() => onAsk('delete')}>
          {ui('actions.delete')}
        </Button>
      </Guarded>
    </Box>
  );
}

function About({ model }: { model: ModelDetailView }) {
  const t = useModelWords();
  const ui = useUiWords();
  const unknown = ui('states.unknown');
  const list = (words: readonly string[]) => (words.length === 0 ? unknown : words.join(', '));
  const { context_length: context, weight_bytes: weights, kv_token_bytes: cache } = model;
  return (
    <Section title={t('about')}>
      <FactList
        facts={[
          { label: t('fields.format'), value: model.format === null ? unknown : t(`formats.${model.format}`) },
          { label: t('fields.structure'), value: model.structure ?? unknown },
          { label: t('fields.parameters'), value: countText(model.parameters) },
          { label: t('fields.quantisation'), value: model.quantisation ?? unknown },
          {
            label: t('fields.context'),
            value: context === null ? unknown : t('tokens', { count: numberText(context) }),
          },
          { label: t('fields.weights'), value: bytesText(weights) },
          { label: t('fields.cache'), value: bytesText(cache) },
          { label: t('fields.license'), value: model.license ?? unknown },
          { label: t('fields.languages'), value: list(model.language) },
          { label: t('fields.tags'), value: list(model.tags) },
          { label: t('fields.library'), value: t(model.shelved ? 'yes' : 'no') },
          { label: t('fields.downloads'), value: model.downloads },
        ]}
      />
    </Section>
  );
}

function DeleteModel({ model: { id, name }, onClose }: { model: ModelDetailView; onClose(): void }) {
  const t = useModelWords();
  const ui = useUiWords();
  const navigate = useNavigate();
  const remove = useCommand(CALLS.deleteModel, {
    isQuiet: true,
    invalidates: [CALLS.listModelSpace],
    onSuccess: () => void navigate('/model/space'),
  });
  return (
    <ConfirmDialog
      title={t('deleteModel', { name })}
      lost={[t('lostAll')]}
      typed={name}
      confirmLabel={ui('actions.delete')}
      isDangerous
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { id } })}
      onClose={onClose}
    />
  );
}
