// Looks through payments, refunds and what belongs to them, every few seconds. A sweeper that fails holds no other up.
import { type Clock, pause } from '@gantry/kube/clock.ts';
import { faultOf, type PaymentsParts } from './payments.ts';

const EVERY_MS = 5_000;

/** Until the signal. */
export async function sweepPayments(
  sweepers: readonly { sweep(signal: AbortSignal): Promise<void> }[],
  { clock, log }: { clock: Clock; log: PaymentsParts['log'] },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    for (const sweeper of sweepers)
      await sweeper.sweep(signal).catch((error: unknown) => {
        log.warn({ err: faultOf(error) }, 'open payments could not be looked through');
      });
    await pause(clock, EVERY_MS, signal);
  }
}
