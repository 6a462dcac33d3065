// What was asked, and what each subject answered, row by row. Texts are of models and datasets: they are shown as text.

import type { EvaluationExampleView } from '@gantry/contract/areas/evaluation/evaluation.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { EvaluationView } from '@gantry/contract/kinds/evaluation.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { numberText } from '@gantry/ui/format/number.ts';
import { FilterChoice } from '@gantry/ui/table/filter-choice.tsx';
import { MONO } from '@gantry/ui/theme/theme.ts';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import { EmptyState, ErrorState, LoadingRows, NoMatch } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Pagination from '@mui/material/Pagination';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { Marked } from '../../parts/marked.tsx';
import { Section } from '../../parts/section.tsx';
import { usePartsWords } from '../../parts/use-parts-words.ts';
import { differingPart } from './differing-part.ts';
import { useSubjectName } from './use-deployments.ts';
import { useEvaluationWords } from './use-evaluation-words.ts';
import { useFigures } from './use-figures.ts';

const SIZE = 10;
type Answer = EvaluationExampleView['answers'][number];

/** Page and filters are in the address. */
function useAsked() {
  const [params, setParams] = useSearchParams();
  const set = (name: string, value: string) =>
    setParams(
      (former) => {
        const next = new URLSearchParams(former);
        if (name !== 'page') next.delete('page');
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return {
    task: params.get('task') ?? '',
    only: params.get('only') === 'different' ? 'different' : '',
    page: Math.max(1, Math.floor(Number(params.get('page'))) || 1),
    set,
    clear: () => setParams({}, { replace: true }),
  } as const;
}

export function ExamplesTab({ task }: { task: EvaluationView }) {
  const t = useEvaluationWords();
  const parts = usePartsWords();
  const asked = useAsked();
  const params = { id: task.id };
  const scores = useCall(CALLS.getEvaluationScores, { params });
  const examples = useCall(
    CALLS.listEvaluationExamples,
    {
      params,
      query: {
        ...{ page: asked.page, size: SIZE },
        ...(asked.task !== '' && { task: Number(asked.task) }),
        ...(asked.only !== '' && { only: asked.only }),
      },
    },
    { keepsPrevious: true },
  );
  const error = scores.error ?? examples.error;
  if (error) {
    const again = () => void Promise.all([scores.refetch(), examples.refetch()]);
    return <ErrorState error={error} onRetry={again} />;
  }
  if (!scores.data || !examples.data) return <LoadingRows rows={4} height={140} />;
  const { run, subjects, tasks, baseline } = scores.data;
  if (run === null) return <EmptyState title={t('examples.none')} hint={t('examples.noneHint')} />;
  const { items, total, totalPages } = examples.data;
  const pages = Math.max(1, totalPages);
  return (
    <>
      <Typography variant="body2" color="text.secondary" sx={{ mb: 2 }}>
        {t('examples.lead')}
      </Typography>
      <Box role="search" sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, mb: 2, alignItems: 'center' }}>
        <Box sx={{ width: '14rem' }}>
          <FilterChoice
            label={t('fields.task')}
            any={t('examples.anyTask')}
            value={asked.task}
            options={tasks.map(({ name, metric_label: metric }, at) => [`${at}`, `${name} · ${metric}`])}
            onChange={(value) => asked.set('task', value)}
          />
        </Box>
        {subjects.length > 1 && (
          <Box sx={{ width: '14rem' }}>
            <FilterChoice
              label={t('examples.show')}
              any={t('examples.all')}
              value={asked.only}
              options={[['different', t('examples.different')]]}
              onChange={(value) => asked.set('only', value)}
            />
          </Box>
        )}
        <Typography variant="body2" role="status">
          {t('examples.count', { smart_count: total })}
        </Typography>
      </Box>
      {items.length === 0 && <NoMatch onClear={asked.clear} />}
      {items.map((example) => (
        <Example
          key={`${example.task} ${example.row}`}
          example={example}
          title={t('examples.of', { task: tasks[example.task]?.name ?? '–', row: example.row })}
          subjects={subjects}
          beside={baseline ?? 0}
        />
      ))}
      {pages > 1 && (
        <Pagination
          aria-label={parts('pager.pages')}
          count={Math.max(pages, asked.page)}
          page={asked.page}
          onChange={(_, page) => asked.set('page', page === 1 ? '' : `${page}`)}
          sx={{ display: 'flex', justifyContent: 'center' }}
        />
      )}
    </>
  );
}

type Subjects = Parameters<ReturnType<typeof useSubjectName>>[0][];

interface ExampleProps {
  example: EvaluationExampleView;
  title: string;
  subjects: Readonly<Subjects>;
  /** The number of the subject that answers are compared with. */
  beside: number;
}

function Example({ example: { prompt, expected, answers, is_different: isDifferent }, title, ...props }: ExampleProps) {
  const t = useEvaluationWords();
  const { subjects, beside } = props;
  const other = answers.find(({ subject }) => subject === beside)?.answer ?? null;
  return (
    <Section
      title={title}
      beside={isDifferent && <PhaseChip label={t('examples.isDifferent')} tone="warning" message={null} />}
    >
      <Text label={t('examples.prompt')}>
        <Prompt prompt={prompt} />
      </Text>
      {expected !== null && <Text label={t('examples.expected')}>{expected}</Text>}
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 16rem), 1fr))',
          mt: 2,
        }}
      >
        {answers.map((answer) => {
          const subject = subjects[answer.subject];
          return (
            subject && (
              <AnswerOf
                key={answer.subject}
                answer={answer}
                subject={subject}
                other={answer.subject === beside ? null : other}
              />
            )
          );
        })}
      </Box>
    </Section>
  );
}

interface AnswerProps {
  answer: Answer;
  subject: Subjects[number];
  /** The answer that it is compared with; null: with none. */
  other: string | null;
}

function AnswerOf({ answer: { answer, score, is_right: isRight, error, ...costs }, subject, other }: AnswerProps) {
  const t = useEvaluationWords();
  const figures = useFigures();
  const number = numberText;
  const nameOf = useSubjectName();
  const name = nameOf(subject);
  const isSame = answer !== null && other === answer;
  const tokens = costs.completion_tokens;
  return (
    <Box role="group" aria-label={t('examples.answerOf', { name })} sx={{ minWidth: 0 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', mb: 0.5 }}>
        <Typography variant="h3">{name}</Typography>
        {error !== null ? (
          <PhaseChip label={t('examples.unscored')} tone="warning" message={null} />
        ) : (
          <PhaseChip
            label={[
              ...(isRight === null ? [] : [t(isRight ? 'examples.right' : 'examples.wrong')]),
              ...(score === null ? [] : [figures.share(score)]),
            ].join(' · ')}
            tone={isRight === null ? 'neutral' : isRight ? 'good' : 'bad'}
            message={null}
          />
        )}
        {isSame && (
          <Typography variant="caption" color="text.secondary">
            {t('examples.same')}
          </Typography>
        )}
      </Box>
      {error !== null && (
        <Typography variant="body2" color="text.secondary">
          <ErrorText error={error} />
        </Typography>
      )}
      {answer !== null && (
        <Preformatted>{other === null ? answer : <Compared text={answer} other={other} />}</Preformatted>
      )}
      <Typography variant="caption" color="text.secondary">
        {[
          ...(costs.ms === null ? [] : [figures.time(costs.ms)]),
          ...(tokens === null ? [] : [t('examples.tokens', { smart_count: tokens, count: number(tokens) })]),
        ].join(' · ')}
      </Typography>
    </Box>
  );
}

const KNOWN = [
  ...(['NoPrompt', 'NoAnswer', 'TooLong', 'ModelRefusedText', 'ModelBusy', 'ModelFailed'] as const),
  ...(['AnswerNotInShape', 'AnswerTooLong', 'AnswerCut', 'BaselineFailed'] as const),
] as const;

function ErrorText({ error }: { error: string }) {
  const t = useEvaluationWords();
  const known = KNOWN.find((one) => one === error);
  return known ? t(`errors.${known}`) : error;
}

/** What the other answer does not have is marked. */
function Compared({ text, other }: { text: string; other: string }) {
  const { before, differing, after } = differingPart(text, other);
  return (
    <>
      {before}
      {differing !== '' && <Marked tone="warning">{differing}</Marked>}
      {after}
    </>
  );
}

function Prompt({ prompt }: { prompt: string }) {
  const messages = messagesOf(prompt);
  if (!messages) return prompt;
  return messages.map(({ role, content }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they never change places
    <div key={at}>
      <strong>{role}</strong>
      {`: ${content}`}
    </div>
  ));
}

/** Of several messages, their JSON is the prompt. It has 20,000 characters at most. */
function messagesOf(prompt: string): readonly { role: string; content: string }[] | undefined {
  if (!prompt.startsWith('[')) return undefined;
  try {
    const parsed: unknown = JSON.parse(prompt);
    return Array.isArray(parsed) && parsed.length > 0 && parsed.every(isMessage) ? parsed : undefined;
  } catch {
    // It was cut, or is no JSON.
    return undefined;
  }
}

const isMessage = (value: unknown): value is { role: string; content: string } =>
  typeof (value as { role?: unknown } | null)?.role === 'string' &&
  typeof (value as { content?: unknown }).content === 'string';

const Text = ({ label, children }: { label: string; children: ReactNode }) => (
  <Box role="group" aria-label={label} sx={{ mb: 1 }}>
    <Typography variant="body2" color="text.secondary">
      {label}
    </Typography>
    <Preformatted>{children}</Preformatted>
  </Box>
);

const Preformatted = ({ children }: { children: ReactNode }) => (
  <Box
    sx={{
      ...{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', maxHeight: '20rem', overflowY: 'auto' },
      ...{ p: 1, bgcolor: 'action.hover', borderRadius: 1, font: `13px/20px ${MONO}` },
    }}
    // A long one scrolls by itself, also by the keyboard.
    tabIndex={0}
  >
    {children}
  </Box>
);
