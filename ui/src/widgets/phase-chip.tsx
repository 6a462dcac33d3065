// The state of an object: its label in the person's language and its tone, also shown by an icon, so that colour is never the
// only sign.
import type { Tone } from '@gantry/contract/define-kind.ts';
import { memo, type ReactNode } from 'react';
import { Hint } from './hint.tsx';

/** Material icons; running phases have a spinner. */
const ICONS: Readonly<Record<Exclude<Tone, 'progress'>, string>> = {
  neutral:
    'M9 16h2V8H9zm3-14C6.48 2 2 6.48 2 12s4.48 10 10 10 10-4.48 10-10S17.52 2 12 2m0 18c-4.41 0-8-3.59-8-8s3.59-8 8-8 8 3.59 8 8-3.59 8-8 8m1-4h2V8h-2z',
  good: 'M12 2C6.48 2 2 6.48 2 12s4.48 10 10 10 10-4.48 10-10S17.52 2 12 2m0 18c-4.41 0-8-3.59-8-8s3.59-8 8-8 8 3.59 8 8-3.59 8-8 8m4.59-12.42L10 14.17l-2.59-2.58L6 13l4 4 8-8z',
  warning: 'M12 5.99 19.53 19H4.47zM12 2 1 21h22zm1 14h-2v2h2zm0-6h-2v4h2z',
  bad: 'M12 2C6.48 2 2 6.48 2 12s4.48 10 10 10 10-4.48 10-10S17.52 2 12 2m1 15h-2v-2h2zm0-4h-2V7h2z',
};

/** `message` says why it is in its phase: shown at the pointer, and read by screen readers. */
export const PhaseChip = memo(function PhaseChip({
  label,
  tone,
  message,
}: {
  label: ReactNode;
  tone: Tone;
  message?: string | null | undefined;
}) {
  // Plain elements: each row of a list has one.
  const chip = (
    <span className="plain-chip" data-tone={tone}>
      {tone === 'progress' ? (
        <i aria-hidden />
      ) : (
        <svg viewBox="0 0 24 24" aria-hidden>
          <path d={ICONS[tone]} />
        </svg>
      )}
      <span>{label}</span>
    </span>
  );
  return message ? <Hint title={message}>{chip}</Hint> : chip;
});
