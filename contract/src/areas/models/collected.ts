// Requests and answers that a deployment has collected: JSON Lines, in files of some minutes each. They are what people wrote, so
// that only those who manage the organisation read them.

import * as z from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { objectId } from '../../http/kind-bodies.ts';
import { cursorQuery } from '../../http/paging.ts';
import type { ProblemCode } from '../../http/problem.ts';
import { modelDeployment } from '../../kinds/model-deployment.ts';
import { TRANSFER_ENDS } from './model-facets.ts';

const tag = 'deployment';
const count = z.int().min(0);
const time = z.iso.datetime();

const sums = {
  records: count,
  left_out: count.meta({
    description: 'Sampled requests that were not kept: too long, or there was no room or no time for them.',
  }),
  size_bytes: count,
  first_time: time,
  last_time: time,
};
const file = z.object({ id: z.string(), dataset: z.string(), ...sums });
export type CollectedFileView = z.output<typeof file>;

const set = z.object({
  deployment: z.string().meta({ description: 'The id of the deployment.' }),
  exists: z.boolean().meta({ description: 'False: the deployment was deleted, and what it collected was not.' }),
  files: count,
  ...sums,
});
export type CollectedSetView = z.output<typeof set>;

const ofDeployment = z.object({ id: objectId });
const oneFile = { file: objectId.optional().meta({ description: 'The id of one file; all of them where absent.' }) };
const path = `/${modelDeployment.collection}/{id}/collected`;
const NO_STORE = ['model_store_off', 'model_store_away'] as const satisfies ProblemCode[];
/** Whoever may read what others wrote. */
const access = { right: 'manage' } as const;

export const COLLECTED_ROUTES = {
  listCollected: defineRoute({
    id: 'listCollected',
    method: 'GET',
    path: '/model/v1/collected',
    tag,
    summary: 'What deployments of the organisation have collected, deleted ones among them.',
    access,
    answer: { result: z.object({ sets: z.array(set) }) },
    problems: [],
  }),
  listCollectedFiles: defineRoute({
    id: 'listCollectedFiles',
    method: 'GET',
    path,
    tag,
    summary: 'The files that a deployment has collected, the newest first.',
    access,
    params: ofDeployment,
    query: z.strictObject(cursorQuery(100)),
    answer: { list: file },
    problems: ['cursor_rule'],
  }),
  downloadCollected: defineRoute({
    id: 'downloadCollected',
    method: 'GET',
    path: `${path}/content`,
    tag,
    summary: 'What a deployment has collected as JSON Lines, the oldest first: one file, or all of them joined.',
    access,
    params: ofDeployment,
    query: z.strictObject(oneFile),
    answer: { file: 'application/jsonl' },
    problems: [...NO_STORE, 'too_many_downloads', ...TRANSFER_ENDS],
    exempt: true,
  }),
  deleteCollected: defineRoute({
    id: 'deleteCollected',
    method: 'DELETE',
    path,
    tag,
    summary: 'Deletes what a deployment has collected: one file, or all of them.',
    access,
    params: ofDeployment,
    query: z.strictObject(oneFile),
    answer: { text: 'ok' },
    problems: NO_STORE,
  }),
};
