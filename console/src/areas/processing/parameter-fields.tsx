// The parameters of the chosen type: a row of fields for each, as the contract has its block.
import { fieldsOf } from '@gantry/ui/form/fields.tsx';
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { useFieldArray, useFormContext, useWatch } from 'react-hook-form';
import { FormRows } from '../../parts/workload/form-rows.tsx';
import { FormSection } from '../../parts/workload/form-section.tsx';
import type { ProcessValues } from './processing-values.ts';
import { useProcessingWords } from './use-processing-words.ts';

const Field = fieldsOf<ProcessValues>();
const MOST_PAIRS = 10;
const CHUNK: readonly [number, number] = [16, 8192];
const MOST_OVERLAP = 4096;
const [LEAST_PARTS, MOST_PARTS] = [2, 10];
const SHARE: readonly [number, number] = [0.01, 100];

const Two = ({ children }: { children: ReactNode }) => (
  <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, gap: 2 }}>{children}</Box>
);

export function ParameterFields() {
  const t = useProcessingWords();
  const { control } = useFormContext<ProcessValues>();
  const Fields = FIELDS[useWatch({ control, name: 'type' })];
  return (
    <FormSection title={t('form.parameters')}>
      <Fields />
    </FormSection>
  );
}

function QaFields() {
  const t = useProcessingWords();
  const { control } = useFormContext<ProcessValues>();
  const rules = useWatch({ control, name: 'qa.rules' });
  return (
    <>
      <Two>
        <Field.Select
          name="qa.rules"
          label={t('qa.rules')}
          help={t(`qa.ruleHints.${rules}`)}
          options={(['Model', 'Headings'] as const).map((value) => ({ value, label: t(`qa.rule.${value}`) }))}
        />
        <Field.Number
          name="qa.pairsPerChunk"
          label={t('qa.pairs')}
          help={t('qa.pairsHint')}
          range={[1, MOST_PAIRS]}
          isRequired
        />
      </Two>
      {rules === 'Model' && (
        <Field.Text name="qa.prompt" label={t('qa.prompt')} help={t('qa.promptHint')} multiline minRows={2} />
      )}
    </>
  );
}

function ChunkFields() {
  const t = useProcessingWords();
  return (
    <Two>
      <Field.Number
        name="chunks.maxTokens"
        label={t('chunks.maxTokens')}
        help={t('chunks.maxTokensHint')}
        range={CHUNK}
        isRequired
      />
      <Field.Number
        name="chunks.overlap"
        label={t('chunks.overlap')}
        help={t('chunks.overlapHint')}
        range={[0, MOST_OVERLAP]}
      />
    </Two>
  );
}

function GraphFields() {
  const t = useProcessingWords();
  return (
    <Field.Text name="graph.entityTypes" label={t('graph.types')} help={t('graph.typesHint')} autoComplete="off" />
  );
}

function CleanFields() {
  const t = useProcessingWords();
  return (
    <>
      <Field.Select
        name="clean.duplicates"
        label={t('clean.duplicates')}
        options={(['None', 'Exact', 'Near'] as const).map((value) => ({ value, label: t(`clean.duplicate.${value}`) }))}
      />
      <Field.Checkbox name="clean.maskPersonalData" label={t('clean.mask')} help={t('clean.maskHint')} />
      <Two>
        <Field.Number
          name="clean.minChars"
          label={t('clean.minChars')}
          unit={t('clean.chars')}
          range={[0]}
          isRequired
        />
        <Field.Number
          name="clean.maxChars"
          label={t('clean.maxChars')}
          help={t('clean.maxCharsHint')}
          unit={t('clean.chars')}
          range={[1]}
        />
      </Two>
      <Field.Text
        name="clean.languages"
        label={t('clean.languages')}
        help={t('clean.languagesHint')}
        autoComplete="off"
      />
    </>
  );
}

function SplitFields() {
  const t = useProcessingWords();
  const { control } = useFormContext<ProcessValues>();
  const rows = useFieldArray({ control, name: 'split.parts' });
  return (
    <>
      <FormRows
        title={t('split.parts')}
        hint={t('split.hint')}
        rows={rows}
        add={t('split.add')}
        most={MOST_PARTS}
        canRemove={rows.fields.length > LEAST_PARTS}
        blank={{ name: '', percent: undefined }}
        cells={(at) => (
          <>
            <Field.Text name={`split.parts.${at}.name`} label={t('split.name')} isRequired autoComplete="off" />
            <Field.Number
              name={`split.parts.${at}.percent`}
              label={t('split.percent')}
              unit="%"
              range={SHARE}
              step="any"
              isRequired
            />
          </>
        )}
      />
      <Field.Number name="split.seed" label={t('split.seed')} help={t('split.seedHint')} range={[0]} isRequired />
    </>
  );
}

function ConvertFields() {
  const t = useProcessingWords();
  return (
    <Two>
      <Field.Select
        name="convert.format"
        label={t('convert.format')}
        options={(['JsonLines', 'Csv', 'Parquet'] as const).map((value) => ({
          value,
          label: t(`convert.formats.${value}`),
        }))}
      />
      <Field.Text name="convert.columns" label={t('convert.columns')} help={t('form.columnsHint')} autoComplete="off" />
    </Two>
  );
}

const FIELDS = {
  QaPairs: QaFields,
  KnowledgeBase: ChunkFields,
  KnowledgeGraph: GraphFields,
  Clean: CleanFields,
  Split: SplitFields,
  Convert: ConvertFields,
} as const;
