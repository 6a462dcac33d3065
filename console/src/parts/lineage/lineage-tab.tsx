// The lineage of a thing: a map and lists of what it came from and what came from it, one level each way and more at each node on request;
// what would change if it were wrong; and the whole as OpenLineage events. Deleted things stay, and are shown as such.
import { EXPORT_IS_CUT, type LineageKind, type LineageThing } from '@gantry/contract/areas/lineage/lineage.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { sentenceOf } from '@gantry/ui/client/api-problem.ts';
import { useApi, useCall } from '@gantry/ui/client/use-api.tsx';
import { PlainField } from '@gantry/ui/form/plain-field.tsx';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import { type ReactNode, Suspense, useId, useState } from 'react';
import { lazyPart } from '../lazy-part.ts';
import { saveAnswer } from '../save-answer.ts';
import { Section } from '../section.tsx';
import { usePartsWords } from '../use-parts-words.ts';
import { ImpactList } from './impact-list.tsx';
import { relatedIn } from './lineage-graph.ts';
import { LineageList } from './lineage-list.tsx';
import { useLineageGraph } from './use-lineage-graph.ts';

const LineageMap = lazyPart(() => import('./lineage-map.tsx'), 'LineageMap');
const MAP_PX = 480;
const NOT_FOUND = 404;

interface LineageTabProps {
  kind: LineageKind;
  id: string;
  /** Said while nothing is recorded: what a task reads. */
  reads?: ReactNode;
}

export function LineageTab({ kind, id, reads }: LineageTabProps) {
  const t = usePartsWords();
  const [version, setVersion] = useState<string>();
  const [asksImpact, setAsksImpact] = useState(false);
  const { data, error, refetch } = useCall(CALLS.getLineage, { query: { kind, id } });
  // The page is of something that is there: nothing of it is ready yet.
  if (error?.status === NOT_FOUND)
    return (
      <>
        <EmptyState title={t('lineage.none')} hint={t('lineage.noneHint')} />
        {reads !== undefined && <Section title={t('lineage.from')}>{reads}</Section>}
      </>
    );
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingRows />;
  const versions = new Set(data.nodes.flatMap(({ level, version: of }) => (level === 0 && of !== null ? [of] : [])));
  const thing = { kind, id, ...(version !== undefined && { version }) };
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center', mb: 2 }}>
        {versions.size > 1 && <VersionChoice versions={[...versions]} value={version} onChange={setVersion} />}
        <Button variant="outlined" aria-pressed={asksImpact} onClick={() => setAsksImpact(!asksImpact)}>
          {t('lineage.impact')}
        </Button>
        <ExportButton thing={thing}>{t('lineage.export')}</ExportButton>
      </Box>
      {asksImpact && <ImpactList key={version} thing={thing} />}
      <Opened key={version} thing={thing} />
    </>
  );
}

function Opened({ thing }: { thing: LineageThing }) {
  const t = usePartsWords();
  const { opened, error, again } = useLineageGraph(thing);
  if (error) return <ErrorState error={error} onRetry={again} />;
  if (!opened) return <LoadingRows />;
  const { graph, own } = opened;
  const { from, became, beside } = relatedIn(graph, own);
  return (
    <>
      {(graph.isCut || graph.isFull) && (
        <Alert severity="info" sx={{ mb: 2 }}>
          {t('lineage.more')}
        </Alert>
      )}
      <Suspense fallback={<Skeleton variant="rounded" height={MAP_PX} sx={{ mb: 3 }} />}>
        <LineageMap opened={opened} />
      </Suspense>
      <LineageList title={t('lineage.from')} none={t('lineage.fromNothing')} rows={from} opened={opened} />
      <LineageList title={t('lineage.became')} none={t('lineage.becameNothing')} rows={became} opened={opened} />
      {beside.length > 0 && <LineageList title={t('lineage.beside')} none="" rows={beside} opened={opened} />}
    </>
  );
}

interface VersionChoiceProps {
  versions: readonly string[];
  /** All of them where absent. */
  value: string | undefined;
  onChange(version: string | undefined): void;
}

function VersionChoice({ versions, value, onChange }: VersionChoiceProps) {
  const t = usePartsWords();
  const field = useId();
  return (
    <Box sx={{ width: '14rem' }}>
      <PlainField id={field} label={t('lineage.version')}>
        <select id={field} value={value ?? ''} onChange={({ target }) => onChange(target.value || undefined)}>
          <option value="">{t('lineage.allVersions')}</option>
          {versions.map((version) => (
            <option key={version}>{version}</option>
          ))}
        </select>
      </PlainField>
    </Box>
  );
}

function ExportButton({ thing, children }: { thing: LineageThing; children: ReactNode }) {
  const t = usePartsWords();
  const api = useApi();
  const toast = useToast();
  const [isSaving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    try {
      const answer = await api.send(CALLS.exportLineage, { query: thing });
      await saveAnswer(answer);
      if (answer.headers.has(EXPORT_IS_CUT)) toast.warning(t('lineage.exportCut'));
    } catch (error) {
      toast.error(sentenceOf(error));
    } finally {
      setSaving(false);
    }
  };
  return (
    <Button loading={isSaving} onClick={() => void save()}>
      {children}
    </Button>
  );
}
