// What a data server says of a table, as the API shows it.
import {
  type DatasetColumnStatistics,
  type DatasetStatisticsView,
  FILE_PROBLEMS,
} from '@gantry/contract/areas/datasets/tables.ts';
import type { TableFacts } from '../../core/data-server/server-answers.ts';

export const statisticsOf = (facts: TableFacts): DatasetStatisticsView => ({
  ...{ rows: facts.rows, rejected: facts.rejected, rejected_kept: facts.rejectedKept, duplicates: facts.duplicates },
  languages: Object.entries(facts.languages).map(([language, rows]) => ({ language, rows })),
  columns: facts.columns.map(columnOf),
  is_cut: facts.isCut,
  problems: facts.files.flatMap(problemOf),
});

/** A code that nobody has words for is left to its sentence. */
function problemOf({ name, problem }: TableFacts['files'][number]): DatasetStatisticsView['problems'] {
  if (!problem) return [];
  const code = FILE_PROBLEMS.find((each) => each === problem.code);
  return [{ path: name, ...(code && { code }), message: problem.sentence }];
}

const columnOf = (column: TableFacts['columns'][number]): DatasetColumnStatistics => ({
  ...{ name: column.name, type: column.type, nulls: column.nulls, distinct: column.distinct ?? null },
  ...{ min: column.min ?? null, max: column.max ?? null, mean: column.mean ?? null },
  ...{ deviation: column.deviation ?? null, quartiles: column.quartiles ?? null },
  ...{ shortest: column.shortest ?? null, longest: column.longest ?? null, mean_length: column.meanLength ?? null },
  ...{ histogram: column.histogram ?? null, lengths: column.lengths ?? null },
  ...{ values: column.values ?? null, values_more: column.valuesMore ?? null },
});
