// A data processing task's spec and status, as the CRD has them. The limits of its parameters are the worker's
// (data-worker/gantry_worker/task/recipe.py).
import * as z from 'zod';
import { cel, commonStatus, type ObjectOf } from '../define-kind.ts';
import { creator } from '../fields/creator.ts';
import { dateTime } from '../fields/date-time.ts';
import { freeName } from '../fields/name.ts';
import { plainLinesRule, plainTextRule } from '../fields/plain-text.ts';
import { taskFields, taskStatus } from '../fields/task.ts';
import { changing, host, resources } from '../fields/workload.ts';
import { dataProcessWords as words } from './data-process-words.ts';
import { columnName, datasetId, datasetVersion, digest, ofRun, whole, workerProblem } from './data-task-schema.ts';

export const PROCESS_TYPES = ['QaPairs', 'KnowledgeBase', 'KnowledgeGraph', 'Clean', 'Split', 'Convert'] as const;
export type ProcessType = (typeof PROCESS_TYPES)[number];

/** The block of parameters of each type. */
export const PROCESS_BLOCKS = {
  QaPairs: 'qa',
  KnowledgeBase: 'chunks',
  KnowledgeGraph: 'graph',
  Clean: 'clean',
  Split: 'split',
  Convert: 'convert',
} as const satisfies Record<ProcessType, string>;

export const MOST_PROMPT = 4000;
export const MOST_ENTITY_TYPES = 20;
const MOST_COLUMNS = 1000;
const MOST_CHARS = 10_000_000;
/** Reasons or kinds that are counted. */
const MOST_COUNTED = 32;

const dataset = datasetId(words.rules.dataset);
const columns = z.array(columnName).max(MOST_COLUMNS).optional().meta({ 'x-kubernetes-list-type': 'atomic' });

const blocks = {
  qa: z
    .object({
      pairsPerChunk: z.int().min(1).max(10).default(3).describe('How many pairs are made of a passage, at most.'),
      rules: z
        .enum(['Model', 'Headings'])
        .default('Model')
        .describe('Model: a model writes the pairs. Headings: headings are questions, what follows is the answer.'),
      prompt: z
        .string()
        .max(MOST_PROMPT)
        .optional()
        .meta({ description: 'What the model is told besides, such as for whom the pairs are.', ...plainLinesRule }),
    })
    .optional()
    .meta({ description: 'Of QaPairs.' }),
  chunks: z
    .object({
      maxTokens: z.int().min(16).max(8192).default(512).describe('How many tokens a chunk has, at most.'),
      overlap: z
        .int()
        .min(0)
        .max(4096)
        .optional()
        .describe(
          'How many tokens a chunk repeats of the one before. Absent: 64, or half of maxTokens if that is less.',
        ),
    })
    .optional()
    .meta({
      description: 'Of KnowledgeBase.',
      ...cel(['!has(self.overlap) || self.overlap * 2 <= self.maxTokens', words.rules.overlap]),
    }),
  graph: z
    .object({
      entityTypes: z
        .array(
          z
            .string()
            .min(1)
            .max(64)
            .meta({ ...plainTextRule }),
        )
        .max(MOST_ENTITY_TYPES)
        .optional()
        .meta({
          description: 'Which types of entities are looked for, such as Person. Absent: whatever the model finds.',
          'x-kubernetes-list-type': 'atomic',
          ...cel(['self.all(one, self.exists_one(other, other == one))', words.rules.entityTypes]),
        }),
    })
    .optional()
    .meta({ description: 'Of KnowledgeGraph.' }),
  clean: z
    .object({
      duplicates: z
        .enum(['None', 'Exact', 'Near'])
        .default('None')
        .describe('Which duplicates are rejected: none, equal rows, or also rows that are nearly equal.'),
      maskPersonalData: z
        .boolean()
        .default(false)
        .describe('True: addresses, numbers of phones and cards, and the like are masked.'),
      minChars: z.int().min(0).max(MOST_CHARS).default(0).describe('Rows with fewer characters are rejected.'),
      maxChars: z
        .int()
        .min(1)
        .max(MOST_CHARS)
        .optional()
        .describe('Rows with more characters are rejected. Absent: no limit.'),
      languages: z
        .array(
          z
            .string()
            .max(3)
            .meta(cel(["self.matches('^[a-z]{2,3}$')", words.rules.language])),
        )
        .max(50)
        .optional()
        .meta({
          description: 'Rows in other languages are rejected, as codes of ISO 639. Absent: all languages are kept.',
          'x-kubernetes-list-type': 'atomic',
        }),
    })
    .optional()
    .meta({
      description: 'Of Clean.',
      ...cel(['!has(self.maxChars) || self.maxChars >= self.minChars', words.rules.lengths]),
    }),
  split: z
    .object({
      parts: z
        .array(
          z.object({
            name: z
              .string()
              .max(32)
              .describe('The name of its file, such as train.')
              .meta(cel(["self.matches('^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$')", words.rules.partName])),
            percent: z.number().min(0.01).max(100).describe('How much of the rows it gets.'),
          }),
        )
        .min(2)
        .max(10)
        .meta({
          description: 'The parts. Equal rows are never in two of them.',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          ...cel(
            [
              'self.all(one, self.exists_one(other, other.name.lowerAscii() == one.name.lowerAscii()))',
              words.rules.partNames,
            ],
            [
              'self.map(one, one.percent).sum() > 99.999999 && self.map(one, one.percent).sum() < 100.000001',
              words.rules.percents,
            ],
          ),
        }),
      seed: whole.default(0).describe('Another number, another choice of rows.'),
    })
    .optional()
    .meta({ description: 'Of Split.' }),
  convert: z
    .object({
      format: z.enum(['JsonLines', 'Csv', 'Parquet']).describe('The format of the new files.'),
      columns: columns.describe('The columns that are kept, in this order. Absent: all.'),
    })
    .optional()
    .meta({ description: 'Of Convert.' }),
};

const { gpu: _gpu, ...size } = resources('worker', { cores: 1, memoryGi: 2 });

const run = changing('A change takes effect with the next run.', {
  type: z.enum(PROCESS_TYPES).meta({ description: 'What is made of the input.' }),
  input: z
    .object({
      dataset: dataset.describe('The id of a dataset of the organisation, or of the library.'),
      version: datasetVersion
        .optional()
        .describe('The number of a version of it. Absent: the newest one that is ready when a run begins.'),
      columns: columns.describe('Of a table: the columns that are read. Absent: all.'),
    })
    .meta({ description: 'What is read.' }),
  output: z
    .object({
      dataset: dataset.optional().describe('The id of a dataset of the organisation that gets a new version.'),
      name: freeName.optional().meta({ description: 'The name of a dataset that the first run makes.' }),
    })
    .meta({
      description: 'Where the result goes: a new version of a dataset.',
      ...cel(['has(self.dataset) != has(self.name)', words.rules.output]),
    }),
  model: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .meta({
      description:
        'The deployment or alias that is asked, as requests to /v1 name it. KnowledgeBase takes one that makes embeddings.',
      ...cel(["self.matches('^[A-Za-z0-9][A-Za-z0-9._:/-]*$')", words.rules.modelName]),
    }),
  ...blocks,
  maxRejectedPercent: z.number().min(0).max(100).default(10).meta({
    description: 'A run of which more units are rejected, in percent, fails.',
  }),
  maxTokens: z.int().min(1).max(Number.MAX_SAFE_INTEGER).optional().meta({
    description:
      'How many tokens a run may use, input and output together. Then the version has what is done. Absent: no limit.',
  }),
  ...size,
  host,
});

export const spec = z
  .object({
    displayName: freeName.optional(),
    creator,
    ...taskFields({
      noun: 'task',
      power:
        'Running: it is to run to its end. Suspended: its worker ends, and a resumed task continues with what is not done. Stopped: the run is given up.',
      runCount: 'Raise it by one to run the task once more: only what has changed since is done again.',
      grows: words.rules.runCountGrows,
      retries: 3,
    }),
    ...run,
  })
  .describe('What is wanted of the task.');

/** Fields that a person sets, at creation and later. */
export const PROCESS_FIELDS = [
  'type',
  'input',
  'output',
  'model',
  'qa',
  'chunks',
  'graph',
  'clean',
  'split',
  'convert',
  'maxRejectedPercent',
  'maxTokens',
  'cores',
  'memoryGi',
  'host',
  'priority',
  'maxRunMinutes',
  'retries',
] as const satisfies readonly (keyof z.output<typeof spec>)[];

/** A change to one of these starts a run or raises what it uses or asks. The person who makes it pays from then on (`startedBy`). */
export const START_FIELDS = [
  'power',
  'runCount',
  'cores',
  'memoryGi',
  'type',
  'input',
  'model',
  'qa',
  'chunks',
  'graph',
  'maxTokens',
] as const satisfies readonly (keyof z.output<typeof spec>)[];

const counted = (what: string) =>
  z.record(z.string(), whole).meta({ maxProperties: MOST_COUNTED }).optional().describe(what);

export const status = z
  .object({
    ...commonStatus,
    ...taskStatus,
    inputs: z
      .object({
        run: ofRun('The number of the run that they are for.'),
        dataset: z.string().max(63).describe('The id of the dataset.'),
        name: z.string().max(63).optional().describe('Its name.'),
        version: z.int().min(1).describe('The number of the version that is read.'),
        digest: digest.describe('The SHA-256 of the list of files that the worker takes in.'),
        bytes: whole.describe('What these files take together.'),
      })
      .optional()
      .describe('What the run reads. The gateway writes it before the worker starts.'),
    output: z
      .object({
        run: ofRun('The number of the run that makes it.'),
        dataset: z.string().max(63).describe('The id of the dataset.'),
        version: z.int().min(1).optional().describe('The number of the version.'),
        digest: digest.optional().describe('The digest of the version. Absent until it is ready.'),
        rows: whole.optional().describe('How many rows it has.'),
        ended: z
          .string()
          .max(64)
          .optional()
          .describe('Why it has less than there is to do, as one CamelCase word, such as TokenBudgetSpent.'),
      })
      .optional()
      .describe('What the run makes. The gateway writes it.'),
    progress: z
      .object({
        run: ofRun('The number of the run that it is of.').optional(),
        step: z.string().max(32).optional().describe('What the worker is doing, as one word.'),
        done: whole.describe('How many units are done.'),
        of: whole.describe('How many units there are.'),
        failed: whole.describe('How many units failed.'),
        skipped: whole.optional().describe('How many units have nothing to be done with.'),
        rejected: whole.describe('How many rows were rejected.'),
        tokens: whole.optional().describe('How many tokens were used, input and output together.'),
        at: dateTime.describe('When this was counted.'),
      })
      .optional()
      .describe('How far the run is, counted from its units. The gateway writes it.'),
    outcome: z
      .object({
        run: ofRun('The number of the run that it is of.'),
        problem: workerProblem,
        removed: counted('How many rows were removed, by the reason.'),
        masked: counted('How many pieces of personal data were masked, by their kind.'),
      })
      .optional()
      .describe('What the worker of the run said at its end. The gateway writes it.'),
  })
  .describe('What is known of the task. The platform writes it.');

export type DataProcess = ObjectOf<{ spec: typeof spec; status: typeof status }>;
export type DataProcessSpec = DataProcess['spec'];
export type DataProcessStatus = NonNullable<DataProcess['status']>;
