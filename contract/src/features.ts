// Features that an installation can close for a while without a restart: switches of the operators' console. A route that names a feature
// is refused while that is closed.
import type { ProblemCode } from './http/problem.ts';

/** By feature: the refusal of its routes. Each has a gap `note`: the sentence that staff left for tenants. */
export const FEATURES = {
  registration: 'registration_closed',
  providerLogin: 'provider_login_closed',
  terminal: 'terminal_closed',
  files: 'files_closed',
  topUps: 'top_ups_closed',
  newInstances: 'new_instances_closed',
} as const satisfies Record<string, ProblemCode>;
export type Feature = keyof typeof FEATURES;
export const FEATURE_NAMES = Object.keys(FEATURES) as [Feature, ...Feature[]];
