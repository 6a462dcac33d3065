// What a task as the form has it would be trained on, take and cost. It follows the form, and shows the last answer meanwhile.
import type { TunePreviewView } from '@gantry/contract/areas/tuning/tuning.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import { useMay } from '@gantry/ui/session/permission.tsx';
import { useFormContext } from 'react-hook-form';
import { useAsked } from '../../parts/use-asked.ts';
import { useSettled } from '../../parts/use-settled.ts';
import { type PreviewBody, previewBody, type TuneValues } from './tuning-values.ts';

const SETTLES_MS = 800;

export type TunePreview =
  | { readonly state: 'denied' | 'incomplete' | 'loading' }
  | { readonly state: 'preparing'; readonly percent: string | number }
  | { readonly state: 'failed'; readonly error: ApiProblem; retry(): void }
  | { readonly state: 'shown'; readonly preview: TunePreviewView; readonly isUpdating: boolean };

export function useTunePreview(): TunePreview {
  const may = useMay()(CALLS.previewFineTune.id);
  const now = previewBody(useFormContext<TuneValues>().watch());
  const settled = useSettled(now, SETTLES_MS);
  const body = settled ?? ({} as PreviewBody);
  const asked = useAsked(CALLS.previewFineTune, { body }, { enabled: may && settled !== undefined });
  const { data, error, isPreparing, isPlaceholderData, isFetching, refetch } = asked;
  if (!may) return { state: 'denied' };
  if (now === undefined || settled === undefined) return { state: 'incomplete' };
  if (isPreparing) return { state: 'preparing', percent: error?.args.percent ?? 0 };
  if (error) return { state: 'failed', error, retry: () => void refetch() };
  if (!data) return { state: 'loading' };
  const isUpdating = isPlaceholderData || isFetching || JSON.stringify(now) !== JSON.stringify(settled);
  return { state: 'shown', preview: data, isUpdating };
}
