// The next runs of a schedule that is being typed, as the server reckons them.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { useMay } from '@gantry/ui/session/permission.tsx';
import { useSettled } from '../../../parts/use-settled.ts';

const SETTLES_MS = 400;
const FIELDS = 5;

/** `next` is undefined while nobody has answered. */
export function useSchedulePreview(cron: string, timeZone: string): { next?: readonly string[]; error?: string } {
  const may = useMay();
  const body = useSettled({ cron: cron.trim().replace(/\s+/g, ' '), timeZone }, SETTLES_MS);
  const isWhole = body.cron.split(' ').length === FIELDS && timeZone !== '';
  const { data, error } = useCall(
    CALLS.previewSchedule,
    { body },
    { enabled: isWhole && may(CALLS.previewSchedule.id), keepsPrevious: true },
  );
  if (!isWhole) return {};
  return { ...(data && !error && { next: data.next }), ...(error && { error: error.message }) };
}
