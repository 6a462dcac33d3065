// How many unknown tokens an address may try, where the answer is not the frame's.
import type { ServerResponse } from 'node:http';
import type { RateLimits } from './rate-limits.ts';

export const attemptsOf = (limits: Pick<RateLimits, 'mayTry' | 'known' | 'inVain'>) => ({
  mayTry: (token: string, ip: string): Promise<boolean> =>
    limits.mayTry(token, ip, NOWHERE).then(
      () => true,
      () => false,
    ),
  known: (token: string): void => limits.known(token),
  inVain: (ip: string): Promise<void> => limits.inVain(ip),
});

/** Takes the headers of a refusal that is answered elsewhere. */
const NOWHERE = { setHeader: () => NOWHERE } as unknown as ServerResponse;
