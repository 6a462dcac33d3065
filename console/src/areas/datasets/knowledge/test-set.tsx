// Questions whose answers are known: how many of them a version finds, and where.
import { MOST_TEST_QUESTIONS, type TestQuestion } from '@gantry/contract/areas/datasets/questions.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall, useCommand } from '@gantry/ui/client/use-api.tsx';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { useMay } from '@gantry/ui/session/permission.tsx';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { rankOf } from '../../../parts/knowledge/grounded-prompt.ts';
import { PlainTable } from '../../../parts/plain-table.tsx';
import type { TableOf } from '../table/of-table.tsx';
import { useDatasetWords } from '../use-dataset-words.ts';
import { useKnowledge } from './use-knowledge.ts';
import { Waiting } from './waiting.tsx';

/** Passages among which the expected one has to be. */
const AMONG = 10;

export function TestSet({ of, isOwn }: { of: TableOf; isOwn: boolean }) {
  const t = useDatasetWords();
  const may = useMay();
  const params = { id: of.id };
  const { data, error, refetch } = useCall(CALLS.getTestQuestions, { params });
  const set = useCommand(CALLS.setTestQuestions, { invalidates: [CALLS.getTestQuestions] });
  const { ranks, run, state, failure } = useTestRun(of);
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingRows />;
  const { questions } = data;
  const mayChange = isOwn && may('setTestQuestions');
  const keep = (next: readonly TestQuestion[]) => set.mutate({ params, body: { questions: [...next] } });
  return (
    <>
      {questions.length === 0 && <EmptyState title={t('ask.noTests')} hint={t('ask.noTestsHint')} />}
      {questions.length > 0 && (
        <>
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center', mb: 1 }}>
            <Button variant="contained" disabled={state !== 'idle'} onClick={() => void run(questions)}>
              {t('ask.run')}
            </Button>
            <HitRate questions={questions} ranks={ranks} />
          </Box>
          <Waiting state={state} />
          {failure !== undefined && <Alert severity="warning">{failure}</Alert>}
          <Questions
            questions={questions}
            ranks={ranks}
            onRemove={mayChange ? (at) => keep(questions.filter((_, other) => other !== at)) : undefined}
          />
        </>
      )}
      {mayChange && questions.length < MOST_TEST_QUESTIONS && (
        <NewQuestion isBusy={set.isPending} onAdd={(one) => keep([...questions, one])} />
      )}
    </>
  );
}

/** By question and what is expected: the place of the first passage that has it; null: none of the first has. */
type Ranks = ReadonlyMap<string, number | null>;
const keyOf = ({ question, expected }: TestQuestion): string => JSON.stringify([question, expected]);

function useTestRun(of: TableOf) {
  const knowledge = useKnowledge();
  const [ranks, setRanks] = useState<Ranks>(new Map());
  const [failure, setFailure] = useState<string>();
  return {
    ...{ ranks, failure, state: knowledge.state },
    /** One after the other, until one cannot be asked. */
    async run(questions: readonly TestQuestion[]): Promise<void> {
      setFailure(undefined);
      const found = new Map<string, number | null>();
      setRanks(found);
      for (const one of questions) {
        const wish = { dataset: of.id, version: of.version, query: one.question, k: AMONG };
        const answer = await knowledge.search(wish).catch(() => undefined);
        if (!answer) return;
        if (!('passages' in answer)) return setFailure(knowledge.failureText(answer.message));
        found.set(keyOf(one), rankOf(one.expected, answer.passages) ?? null);
        setRanks(new Map(found));
      }
    },
  };
}

function HitRate({ questions, ranks }: { questions: readonly TestQuestion[]; ranks: Ranks }) {
  const t = useDatasetWords();
  const asked = questions.flatMap((one) => {
    const rank = ranks.get(keyOf(one));
    return rank === undefined ? [] : [rank];
  });
  if (asked.length === 0) return null;
  const hits = asked.filter((rank) => rank !== null).length;
  const percent = Math.round((100 * hits) / asked.length);
  return (
    <Typography role="status">{t('ask.hitRate', { hits, asked: asked.length, percent, among: AMONG })}</Typography>
  );
}

interface QuestionsProps {
  questions: readonly TestQuestion[];
  ranks: Ranks;
  onRemove: ((at: number) => void) | undefined;
}

function Questions({ questions, ranks, onRemove }: QuestionsProps) {
  const t = useDatasetWords();
  const ui = useUiWords();
  const rankText = (one: TestQuestion) => {
    const rank = ranks.get(keyOf(one));
    if (rank === undefined) return '–';
    return rank === null ? t('ask.missed') : t('ask.hitAt', { rank });
  };
  const rows = questions.map((one, at) => ({ ...one, at }));
  return (
    <PlainTable
      label={t('ask.tests')}
      rows={rows}
      keyOf={({ at }) => at}
      columns={[
        { label: t('ask.question'), cell: ({ question }) => question },
        { label: t('ask.expected'), cell: ({ expected }) => expected },
        { label: t('ask.result'), cell: rankText },
        ...(onRemove
          ? [
              {
                label: ui('fields.actions'),
                cell: ({ at, question }: { at: number; question: string }) => (
                  <Button size="small" aria-label={t('ask.removeTest', { question })} onClick={() => onRemove(at)}>
                    {ui('actions.remove')}
                  </Button>
                ),
              },
            ]
          : []),
      ]}
    />
  );
}

function NewQuestion({ isBusy, onAdd }: { isBusy: boolean; onAdd(one: TestQuestion): void }) {
  const t = useDatasetWords();
  const ui = useUiWords();
  const [question, setQuestion] = useState('');
  const [expected, setExpected] = useState('');
  const isWhole = question.trim() !== '' && expected.trim() !== '';
  return (
    <Box
      component="form"
      sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'flex-start', mt: 2 }}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWhole) return;
        onAdd({ question: question.trim(), expected: expected.trim() });
        setQuestion('');
        setExpected('');
      }}
    >
      <TextField
        label={t('ask.newQuestion')}
        value={question}
        onChange={({ target }) => setQuestion(target.value)}
        slotProps={{ htmlInput: { maxLength: 1000 } }}
        sx={{ flex: '1 1 14rem' }}
      />
      <TextField
        label={t('ask.expected')}
        helperText={t('ask.expectedHint')}
        value={expected}
        onChange={({ target }) => setExpected(target.value)}
        slotProps={{ htmlInput: { maxLength: 500 } }}
        sx={{ flex: '1 1 14rem' }}
      />
      <Button type="submit" disabled={!isWhole || isBusy}>
        {ui('actions.add')}
      </Button>
    </Box>
  );
}
