// What a run has made as the source of a version of a dataset: files that its Pod still has.
import { problem } from '@gantry/contract/http/problem.ts';
import type { Source, SourcePlan } from '../../core/files/source.ts';
import { type TaskFilesParts, type TaskOutput, taskFiles } from '../../core/tasks/task-files.ts';
import type { KnowledgeBase } from '../../platform/db/schema/datasets.ts';
import type { MadeBy } from './processing-parts.ts';

interface MadePlan extends SourcePlan {
  /** Of a knowledge base. */
  knowledge: KnowledgeBase | null;
}

const PARTS = { data: 'chunks', vectors: 'vectors', words: 'words' } as const;

function knowledgeOf(model: string, outputs: readonly TaskOutput[]): KnowledgeBase | null {
  const made = outputs.filter(({ kind }) => kind === 'output').toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const parts = made.flatMap(({ role, sha256, sizeBytes }) => {
    const kind = PARTS[(role ?? 'data') as keyof typeof PARTS];
    return kind === undefined ? [] : [{ kind, sha256, bytes: sizeBytes }];
  });
  const { dimensions, rows } = made.find(({ role }) => role === 'vectors') ?? {};
  return dimensions == null ? null : { model, dimensions, chunks: rows ?? 0, parts };
}

/** Rows at the top, and the rest in a folder that says what it is: only the rows become a table. */
const pathOf = ({ kind, role, name }: Pick<TaskOutput, 'kind' | 'role' | 'name'>): string => {
  const folder = kind === 'rejected' ? 'rejected' : (role ?? 'data');
  return folder === 'data' ? name : `${folder}/${name}`;
};

/** Throws dataset_source_gone where its Pod is. */
export function taskSource(
  parts: TaskFilesParts,
  { task, taskUid, run, model }: MadeBy,
  signal: AbortSignal,
): Source<MadePlan> {
  const gone = () => problem('dataset_source_gone', { what: task });
  const { outputs, listed, bytes } = taskFiles(parts, { taskUid, run }, { pathOf, gone }, signal);
  return {
    async plan() {
      const found = await outputs();
      const rows = found.filter(({ kind, role }) => kind === 'output' && (role ?? 'data') === 'data');
      return {
        revision: `${taskUid} ${run}`,
        files: listed(found),
        ...{ license: null, language: [], tags: [] },
        rows: rows.reduce((sum, one) => sum + (one.rows ?? 0), 0),
        knowledge: model === undefined ? null : knowledgeOf(model, found),
      };
    },
    bytes,
  };
}
