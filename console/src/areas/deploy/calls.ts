// Calls of jobs and services that belong to no kind's generic routes. Who has no permission node of that name is not offered them.
import type { Call } from '@gantry/contract/http/call.ts';
import type { fitView } from '@gantry/contract/http/catalogue-views.ts';
import type * as z from 'zod';

interface Facts<Body, Result> {
  id: string;
  method: 'POST';
  path: string;
  tag: string;
  summary: string;
  access: { right: 'view' };
  problems: readonly [];
  body: z.ZodType<unknown, Body>;
  answer: { result: z.ZodType<Result> };
}
interface Place {
  gpu?: { model: string; count: number };
  cores: number;
  memoryGi: number;
  host?: string;
}
export interface SchedulePreview {
  next: string[];
}
export interface Recommendation {
  gpu: { model: string; count: number } | null;
  cores: number | null;
  memory_gi: number | null;
  reason: string;
}

const post = <Body, Result>(id: string, path: string) =>
  ({ id, method: 'POST', path, answer: 'result' }) as Call<Facts<Body, Result>>;

export const DEPLOY_CALLS = {
  fitJob: post<Place & { workers: number }, z.output<typeof fitView>>('fitJob', '/deploy/v1/job/fit'),
  fitService: post<Place & { replicas: number }, z.output<typeof fitView>>('fitService', '/deploy/v1/service/fit'),
  previewSchedule: post<{ cron: string; timeZone: string }, SchedulePreview>(
    'previewSchedule',
    '/deploy/v1/job/schedule-preview',
  ),
  recommend: post<{ image: string }, Recommendation>('recommendService', '/deploy/v1/service/recommendation'),
};
