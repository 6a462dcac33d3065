// A knowledge base on its dataset's page: a search with citations, answers by a model from what it finds, and a test set.

import type { DatasetDetailView } from '@gantry/contract/areas/datasets/datasets.ts';
import type { KnowledgePassage } from '@gantry/contract/areas/inference/model-calls.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { numberText } from '@gantry/ui/format/number.ts';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { handToChat } from '../../../parts/handed-to-chat.ts';
import { groundedSystem } from '../../../parts/knowledge/grounded-prompt.ts';
import { Section } from '../../../parts/section.tsx';
import { canBeProcessed, ProcessButton } from '../process-button.tsx';
import { OfVersion } from '../shown-version.tsx';
import type { TableOf } from '../table/of-table.tsx';
import { useDatasetWords } from '../use-dataset-words.ts';
import { Answers } from './answers.tsx';
import { PassageList } from './passage-list.tsx';
import { TestSet } from './test-set.tsx';
import { useKnowledge } from './use-knowledge.ts';
import { useSource } from './use-source.ts';
import { Waiting } from './waiting.tsx';

export const AskTab = ({ dataset }: { dataset: DatasetDetailView }) => (
  <OfVersion dataset={dataset}>
    {(version) => <OfBase key={version} of={{ id: dataset.id, version }} isOwn={dataset.is_own} />}
  </OfVersion>
);

function OfBase({ of, isOwn }: { of: TableOf; isOwn: boolean }) {
  const t = useDatasetWords();
  const countText = numberText;
  const params = { id: of.id, version: `${of.version}` };
  const { data, error, refetch } = useCall(CALLS.getDatasetVersion, { params });
  const source = useSource(of, isOwn && data?.source === 'process');
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingRows />;
  if (!data.knowledge)
    return (
      <EmptyState title={t('ask.none')} hint={t('ask.noneHint')}>
        {canBeProcessed(data) && <ProcessButton {...of} type="KnowledgeBase" label={t('ask.make')} />}
      </EmptyState>
    );
  const { model, chunks } = data.knowledge;
  return (
    <>
      <Section title={t('ask.search')} lead={t('ask.searchLead', { chunks: countText(chunks), model })}>
        <Search of={of} source={source} />
      </Section>
      <Section title={t('ask.answers')} lead={t('ask.answersLead')}>
        <Answers of={of} source={source} />
      </Section>
      <Section title={t('ask.tests')} lead={t('ask.testsLead')}>
        <TestSet of={of} isOwn={isOwn} />
      </Section>
    </>
  );
}

const WAYS = ['both', 'vectors', 'words'] as const;
const SHOWN = 10;

function Search({ of, source }: { of: TableOf; source: TableOf | undefined }) {
  const t = useDatasetWords();
  const navigate = useNavigate();
  const knowledge = useKnowledge();
  const [query, setQuery] = useState('');
  const [by, setBy] = useState<(typeof WAYS)[number]>('both');
  const [passages, setPassages] = useState<readonly KnowledgePassage[]>();
  const [isByWordsAlone, setByWordsAlone] = useState(false);
  const [failure, setFailure] = useState<string>();
  const search = async () => {
    setFailure(undefined);
    const wish = { dataset: of.id, version: of.version, query, k: SHOWN, by };
    const found = await knowledge.search(wish).catch(() => undefined);
    if (found && 'passages' in found) {
      setPassages(found.passages);
      setByWordsAlone(by === 'both' && found.by === 'words');
    } else if (found) setFailure(knowledge.failureText(found.message));
  };
  return (
    <>
      <Box
        component="form"
        role="search"
        sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'flex-start', mb: 2 }}
        onSubmit={(event) => {
          event.preventDefault();
          if (query.trim() !== '') void search();
        }}
      >
        <TextField
          type="search"
          label={t('ask.question')}
          value={query}
          onChange={({ target }) => setQuery(target.value)}
          slotProps={{ htmlInput: { maxLength: 4000 } }}
          sx={{ flex: '1 1 16rem', maxWidth: '40rem' }}
        />
        <TextField
          select
          label={t('ask.by')}
          value={by}
          onChange={({ target }) => setBy(WAYS.find((way) => way === target.value) ?? 'both')}
          slotProps={{ select: { native: true } }}
          sx={{ minWidth: '11rem' }}
        >
          {WAYS.map((way) => (
            <option key={way} value={way}>
              {t(`ask.ways.${way}`)}
            </option>
          ))}
        </TextField>
        <Button type="submit" variant="contained" disabled={query.trim() === ''}>
          {t('tabs.search')}
        </Button>
      </Box>
      <Waiting state={knowledge.state} />
      {failure !== undefined && <Alert severity="warning">{failure}</Alert>}
      {passages !== undefined && isByWordsAlone && <Alert severity="info">{t('ask.byWordsAlone')}</Alert>}
      {passages?.length === 0 && <EmptyState title={t('ask.noneFound')} hint={t('ask.noneFoundHint')} />}
      {passages !== undefined && passages.length > 0 && (
        <>
          <Button
            size="small"
            sx={{ mb: 1 }}
            onClick={() => {
              handToChat(groundedSystem(passages));
              void navigate('/model/chat');
            }}
          >
            {t('ask.useInChat')}
          </Button>
          <PassageList of={of} source={source} label={t('ask.passages')} passages={passages} />
        </>
      )}
    </>
  );
}
