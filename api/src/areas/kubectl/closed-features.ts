// What staff have closed for a while is closed to kubectl too, with the sentence that they left.
import { FEATURES } from '@gantry/contract/features.ts';
import { problemSentence } from '@gantry/contract/http/problem.ts';
import type { Operation } from '../../core/settings/open.ts';
import { decodedPath, featureOf } from './feature-of.ts';
import type { KubeGateParts } from './kube-gate.ts';
import { Refusal } from './refusal.ts';

/** `exists`: whether there is an instance of that name. The demand throws a Refusal. */
export const demandOpenFeature =
  (
    state: Pick<Operation['state'], 'closed'>,
    exists: Parameters<typeof featureOf>[2],
  ): NonNullable<KubeGateParts['demandOpen']> =>
  (method, path) => {
    const asked = decodedPath(path);
    if (asked === undefined) throw new Refusal(400, 'the path cannot be decoded');
    const feature = featureOf(method, asked, exists);
    const closed = feature && state.closed(feature);
    if (!closed) return;
    const note = closed.note?.en.trim() ?? '';
    throw new Refusal(403, problemSentence(FEATURES[feature], 'en', { note: note === '' ? '' : ` ${note}` }));
  };
