// The frame's dependencies, for tests of a few routes: nobody is logged in, nothing is remembered.
import { openLog } from '@gantry/kube/log.ts';
import { Metrics } from '../../api/src/platform/http/metrics.ts';
import { RateLimits } from '../../api/src/platform/http/rate-limits.ts';
import type { FrameParts } from '../../api/src/platform/http/run-route.ts';
import { explain } from '../../api/src/platform/kube/refusals.ts';

export const frameParts = (own: Partial<FrameParts> = {}): FrameParts => ({
  log: openLog('silent'),
  answerLimitMs: 5_000,
  staffSecondFactor: 'optional',
  authenticate: () => Promise.resolve(undefined),
  explain,
  audit: () => Promise.resolve(),
  idempotency: { once: async (_asked, _signal, work) => ({ ...(await work('a-key')), isReplay: false }) },
  limits: new RateLimits(100_000),
  metrics: new Metrics(),
  isStopping: () => false,
  ...own,
});
