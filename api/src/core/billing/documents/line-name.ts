// The purpose of a line, in words: "train, run 2, workers 0-3".
import { sentence, type Words } from '@gantry/contract/define-kind.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import type { InvoiceLine } from '../../../platform/db/schema/invoices.ts';

const RUN = { en: 'run %{run}', zh: '第 %{run} 次运行', ja: '実行 %{run}' } satisfies Words;
const PARTS: Readonly<Record<string, Words>> = {
  Job: { en: 'workers %{parts}', zh: '工作节点 %{parts}', ja: 'ワーカー %{parts}' },
  ContainerService: { en: 'replicas %{parts}', zh: '副本 %{parts}', ja: 'レプリカ %{parts}' },
};

/** `parts` that are not numbers speak for themselves. */
export function lineName({ name, reference, run, parts }: InvoiceLine, language: Language): string {
  const words = parts !== undefined && /^\d/.test(parts) ? PARTS[reference.split('/')[0] ?? ''] : undefined;
  return [
    name,
    ...(run === undefined ? [] : [sentence(RUN, language, { run: `${run}` })]),
    ...(parts === undefined ? [] : [words ? sentence(words, language, { parts }) : parts]),
  ].join(', ');
}
