// Questions that a chosen model answers from passages of the base: each answer with the passages that it cites.
import type { KnowledgePassage } from '@gantry/contract/areas/inference/model-calls.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { Markdown } from '@gantry/ui/widgets/markdown.tsx';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useEffect, useRef, useState } from 'react';
import { askModel, type Prompt } from '../../../parts/ask-model.ts';
import { draftKey, dropDraft } from '../../../parts/draft.ts';
import { keepInTab, keptInTab } from '../../../parts/kept-in-tab.ts';
import { citedIn, groundedQuestion, INSTRUCTIONS } from '../../../parts/knowledge/grounded-prompt.ts';
import { useModelLabel, useModelNames } from '../../../parts/use-model-names.ts';
import type { TableOf } from '../table/of-table.tsx';
import { useDatasetWords } from '../use-dataset-words.ts';
import { CitationLinks } from './passage-list.tsx';
import { useKnowledge } from './use-knowledge.ts';
import { Waiting } from './waiting.tsx';

interface Turn {
  question: string;
  answer: string;
  /** What a citation leads to. */
  passages: readonly Pick<KnowledgePassage, 'chunk' | 'citation'>[];
}

interface Kept {
  model: string;
  turns: readonly Turn[];
}

/** Passages that a model is given: more take more of its context than they add. */
const GIVEN = 6;
/** Turns before that it is told of, without their passages. */
const REMEMBERED = 4;
/** Turns that are there again when somebody comes back. */
const KEPT = 20;

interface AnswersProps {
  of: TableOf;
  /** What the base was made of, where that is there. */
  source: TableOf | undefined;
}

export function Answers(props: AnswersProps) {
  const t = useDatasetWords();
  const models = useModelNames();
  if (models.isPending) return <LoadingRows />;
  if (models.isError) return <ErrorState error={models.error} onRetry={() => void models.refetch()} />;
  if (models.data.length === 0) return <EmptyState title={t('ask.noModel')} hint={t('ask.noModelHint')} />;
  return <Conversation {...props} models={models.data} />;
}

function Conversation({ of, source, models }: AnswersProps & { models: readonly string[] }) {
  const t = useDatasetWords();
  const labelOf = useModelLabel();
  const key = draftKey(`answers_${of.id}_${of.version}`);
  const [kept] = useState(() => keptInTab<Kept>(key));
  const [model, setModel] = useState(kept && models.includes(kept.model) ? kept.model : '');
  const [question, setQuestion] = useState('');
  const { turns, failure, isAsking, state, ask, stop, clear } = useAnswers(of, {
    first: kept?.turns ?? [],
    keep: (now) => (now.length === 0 ? dropDraft(key) : keepInTab(key, { model, turns: now } satisfies Kept)),
  });
  return (
    <>
      <Box role="log" aria-label={t('ask.answers')} aria-busy={isAsking} sx={{ display: 'grid', gap: 1.5, mb: 2 }}>
        {turns.map((turn, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what was said keeps its place
          <TurnPaper key={at} of={of} source={source} turn={turn} model={model} />
        ))}
      </Box>
      <Waiting state={state} />
      {failure !== undefined && (
        <Alert severity="warning" sx={{ mb: 2 }}>
          {failure}
        </Alert>
      )}
      <Box
        component="form"
        sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'flex-start' }}
        onSubmit={(event) => {
          event.preventDefault();
          if (question.trim() === '' || model === '') return;
          void ask(question, model);
          setQuestion('');
        }}
      >
        <TextField
          select
          label={t('ask.model')}
          value={model}
          disabled={isAsking}
          onChange={({ target }) => setModel(target.value)}
          slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
          sx={{ minWidth: '14rem' }}
        >
          <option value="">{t('choose')}</option>
          {models.map((name) => (
            <option key={name} value={name}>
              {labelOf(name) === name ? name : `${labelOf(name)} (${name})`}
            </option>
          ))}
        </TextField>
        <TextField
          label={t('ask.toAnswer')}
          value={question}
          onChange={({ target }) => setQuestion(target.value)}
          slotProps={{ htmlInput: { maxLength: 4000 } }}
          sx={{ flex: '1 1 16rem', maxWidth: '40rem' }}
        />
        {isAsking ? (
          <Button variant="outlined" color="error" onClick={stop}>
            {t('ask.stop')}
          </Button>
        ) : (
          <Button type="submit" variant="contained" disabled={question.trim() === '' || model === ''}>
            {t('ask.answer')}
          </Button>
        )}
        {turns.length > 0 && !isAsking && <Button onClick={clear}>{t('ask.clear')}</Button>}
      </Box>
    </>
  );
}

interface TurnProps extends AnswersProps {
  turn: Turn;
  model: string;
}

function TurnPaper({ turn: { question, answer, passages }, model, ...of }: TurnProps) {
  const t = useDatasetWords();
  const cited = citedIn(answer, passages.length);
  return (
    <Paper variant="outlined" sx={{ p: 2, minWidth: 0 }}>
      <Typography variant="subtitle2" component="p" sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {question}
      </Typography>
      {answer !== '' && <Markdown text={answer} isMessage />}
      {answer !== '' && passages.length > 0 && (
        <>
          <Typography variant="caption" color="text.secondary" component="p">
            {cited.length > 0 ? t('ask.sources') : t('ask.noSources', { model })}
          </Typography>
          <Box component="ul" aria-label={t('ask.sources')} sx={{ m: 0, pl: 2 }}>
            {cited.map((at) => {
              const passage = passages[at];
              return (
                passage && (
                  <li key={at}>
                    [{at + 1}] <CitationLinks {...of} passage={passage} />
                  </li>
                )
              );
            })}
          </Box>
        </>
      )}
    </Paper>
  );
}

interface KeptTurns {
  first: readonly Turn[];
  /** Those with an answer, once the newest one has ended or the tab is left. */
  keep(turns: readonly Turn[]): void;
}

function useAnswers(of: TableOf, { first, keep }: KeptTurns) {
  const t = useDatasetWords();
  const api = useApi();
  const knowledge = useKnowledge();
  const [turns, setTurns] = useState(first);
  const [isAsking, setAsking] = useState(false);
  const [failure, setFailure] = useState<string>();
  const stopping = useRef<AbortController>(undefined);
  useEffect(() => () => stopping.current?.abort(), []);

  const answer = async (
    question: string,
    model: string,
    { signal, said }: { signal: AbortSignal; said(turn: Turn): void },
  ): Promise<string | undefined> => {
    const found = await knowledge.search({ dataset: of.id, version: of.version, query: question, k: GIVEN });
    if (!('passages' in found)) return knowledge.failureText(found.message);
    const { passages } = found;
    if (passages.length === 0) return t('ask.noneFound');
    let turn: Turn = { question, answer: '', passages: passages.map(({ chunk, citation }) => ({ chunk, citation })) };
    said(turn);
    const { failure: refusal } = await askModel(
      { model, messages: messagesOf(turns, { question, passages }) },
      { headers: api.headers(), signal },
      {
        said: (text) => {
          turn = { ...turn, answer: turn.answer + text };
          said(turn);
        },
        waits: () => {},
      },
    );
    return refusal === null ? undefined : t('ask.failed', { message: refusal });
  };

  return {
    ...{ turns, failure, isAsking, state: knowledge.state },
    async ask(question: string, model: string): Promise<void> {
      const stop = new AbortController();
      stopping.current = stop;
      setAsking(true);
      setFailure(undefined);
      let now = turns;
      const said = (turn: Turn) => {
        now = [...turns, turn];
        setTurns(now);
      };
      const failed = await answer(question, model, { signal: stop.signal, said }).catch(() =>
        stop.signal.aborted ? t('ask.stopped') : t('ask.unanswered'),
      );
      keep(now.filter((turn) => turn.answer !== '').slice(-KEPT));
      setFailure(failed);
      setAsking(false);
    },
    stop(): void {
      stopping.current?.abort();
      knowledge.stop();
    },
    clear(): void {
      keep([]);
      setTurns([]);
      setFailure(undefined);
    },
  };
}

interface Asked {
  question: string;
  passages: readonly KnowledgePassage[];
}

const messagesOf = (before: readonly Turn[], { question, passages }: Asked): Prompt['messages'] => [
  { role: 'system', content: INSTRUCTIONS },
  ...before
    .slice(-REMEMBERED)
    .filter(({ answer }) => answer !== '')
    .flatMap((turn): Prompt['messages'] => [
      { role: 'user', content: turn.question },
      { role: 'assistant', content: turn.answer },
    ]),
  { role: 'user', content: groundedQuestion(question, passages) },
];
