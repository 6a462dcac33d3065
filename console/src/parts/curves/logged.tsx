// What a run's program logged by MLflow's calls: the last value of each name.

import type { TrainingCurveView } from '@gantry/contract/fields/training-curve.ts';
import { numberText } from '@gantry/ui/format/number.ts';
import { bytesText } from '@gantry/ui/format/size.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { PlainTable } from '../plain-table.tsx';
import { Section } from '../section.tsx';
import { useCurveWords } from './use-curve-words.ts';

const DIGITS = 4;
const short = (value: number): string => `${Number(value.toPrecision(DIGITS))}`;

interface LoggedRow {
  sort: 'param' | 'tag' | 'metric' | 'artifact';
  name: string;
  value: string;
}

export function Logged({ logged }: { logged: NonNullable<TrainingCurveView['logged']> }) {
  const t = useCurveWords();
  const ui = useUiWords();
  const number = numberText;
  const rows: LoggedRow[] = [
    ...logged.metrics.map(({ name, value, step }) => ({
      ...{ sort: 'metric' as const, name },
      value: t('logged.atStep', { value: short(value), step: number(step) }),
    })),
    ...logged.params.map(({ name, value }) => ({ sort: 'param' as const, name, value })),
    ...logged.tags.map(({ name, value }) => ({ sort: 'tag' as const, name, value })),
    ...logged.artifacts.map(({ name, size_bytes }) => ({
      ...{ sort: 'artifact' as const, name },
      value: bytesText(size_bytes),
    })),
  ];
  return (
    <Section title={t('logged.title')} lead={t('logged.lead')}>
      <PlainTable
        label={t('logged.title')}
        columns={[
          { label: ui('fields.name'), cell: ({ name }) => name },
          { label: t('logged.sort'), cell: ({ sort }) => t(`logged.${sort}`) },
          { label: t('logged.value'), cell: ({ value }) => value },
        ]}
        rows={rows}
        keyOf={({ sort, name }) => `${sort} ${name}`}
      />
    </Section>
  );
}
