// An evaluation's facts: what is evaluated on what and how, its times and its cost. And its lineage.

import type { EvaluationView } from '@gantry/contract/kinds/evaluation.ts';
import { numberText } from '@gantry/ui/format/number.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import { type Fact, FactList } from '../../parts/fact-list.tsx';
import { LineageTab } from '../../parts/lineage/lineage-tab.tsx';
import { Section } from '../../parts/section.tsx';
import { datasetPath, modelPath } from '../../parts/store-paths.ts';
import { useRunFacts, useTaskFacts } from '../../parts/task/use-task-facts.tsx';
import { useTaskWords } from '../../parts/task/use-task-words.ts';
import { useNameOf, useReadableDatasets } from '../../parts/use-names.ts';
import { usePeople } from '../../parts/workload/use-people.ts';
import { deploymentPath } from './paths.ts';
import { SubjectName } from './subject-name.tsx';
import { useSubjectName } from './use-deployments.ts';
import { useEvaluationWords } from './use-evaluation-words.ts';

interface FactsProps {
  task: EvaluationView;
}

export function EvaluationFacts({ task }: FactsProps) {
  const t = useEvaluationWords();
  const words = useTaskWords();
  const ui = useUiWords();
  const nameOfPerson = usePeople();
  const times = useTaskFacts(task);
  const run = useRunFacts(task.spec);
  const asked = useAskedFacts(task);
  return (
    <Section title={t('facts.overview')}>
      <FactList
        isDense
        facts={[
          ...asked,
          ...times,
          { label: t('fields.specification'), value: task.specification },
          ...(task.host === null ? [] : [{ label: t('facts.place'), value: task.host }]),
          ...run,
          ...(task.excluded_nodes.length > 0
            ? [{ label: words('facts.excludedNodes'), value: task.excluded_nodes.join(', ') }]
            : []),
          { label: ui('fields.creator'), value: nameOfPerson(task.creator) },
          { label: ui('fields.createTime'), value: timeText(task.create_time) },
        ]}
      />
    </Section>
  );
}

function useAskedFacts({ subjects, tasks, baseline, spec }: EvaluationView): readonly Fact[] {
  const t = useEvaluationWords();
  const number = numberText;
  const nameOf = useSubjectName();
  const base = baseline === null ? undefined : subjects[baseline];
  const { judge, limit, maxTokens } = spec;
  return [
    {
      label: t('fields.subjects'),
      value: subjects.map((subject) => <Subject key={keyOf(subject)} subject={subject} />),
    },
    { label: t('fields.baseline'), value: base ? nameOf(base) : t('form.noBaseline') },
    // biome-ignore lint/suspicious/noArrayIndexKey: a task is its place
    { label: t('fields.tasks'), value: tasks.map((task, at) => <Task key={at} task={task} />) },
    ...(judge
      ? [
          {
            label: t('fields.judge'),
            value: (
              <>
                <Link component={RouterLink} to={deploymentPath(judge.deployment)}>
                  {nameOf(judge)}
                </Link>
                {judge.rubric !== undefined && <div style={{ whiteSpace: 'pre-wrap' }}>{judge.rubric}</div>}
              </>
            ),
          },
        ]
      : []),
    {
      label: t('form.rows'),
      value: [
        limit === undefined ? t('facts.allRows') : t('facts.limit', { count: number(limit) }),
        t('facts.seed', { seed: `${spec.seed ?? 0}` }),
        t('facts.answerTokens', { count: number(spec.answerTokens ?? null) }),
      ].join(' · '),
    },
    { label: t('form.maxRejected'), value: `${spec.maxRejectedPercent ?? 0}%` },
    { label: t('form.budget'), value: maxTokens === undefined ? t('facts.noBudget') : number(maxTokens) },
  ];
}

type Asked = EvaluationView['subjects'][number];

const keyOf = ({ deployment, adapter, model, version }: Asked) => [deployment, adapter, model, version].join(' ');

function Subject({ subject }: { subject: Asked }) {
  const { model, name, version } = subject;
  return (
    <div>
      <SubjectName subject={subject} />
      {model !== null && (
        <>
          {' · '}
          <Link component={RouterLink} to={modelPath(model)}>
            {name ?? model}
          </Link>
          {` ${version ?? ''}`}
        </>
      )}
    </div>
  );
}

function Task({ task }: { task: EvaluationView['tasks'][number] }) {
  const t = useEvaluationWords();
  const nameOfDataset = useNameOf(useReadableDatasets());
  const { name, dataset, version, metric_label: metric } = task;
  const called = nameOfDataset(dataset);
  return (
    <div>
      <Link component={RouterLink} to={datasetPath(dataset, version)}>
        {name === dataset ? called : name}
      </Link>
      {` · ${version === null ? t('fields.newestVersion') : t('fields.version', { version })} · ${metric}`}
    </div>
  );
}

/** What its runs have asked and read, and what came from it; until then, what it asks and reads. */
export function EvaluationLineage({ task: { id, subjects, tasks } }: FactsProps) {
  return (
    <LineageTab
      kind="evaluation"
      id={id}
      reads={
        <>
          {subjects.map((subject) => (
            <Subject key={keyOf(subject)} subject={subject} />
          ))}
          {tasks.map((task, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a task is its place
            <Task key={at} task={task} />
          ))}
        </>
      }
    />
  );
}
