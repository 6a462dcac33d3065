// Idleness as tables and laws: what is not known never counts, and nothing is stopped without a warning and its grace.
import { describe, expect, test } from '@jest/globals';
import { fc } from '../../../../test/support/seeded-fast-check.ts';
import { decideIdle, type Episode, GRACE_MS, quietSince, type Signal, type Signals, savedIn } from './decide-idle.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 25, 12);
const ago = (minutes: number) => NOW - minutes * MINUTE;
const WARN = { does: 'Warn', afterMinutes: 60 } as const;
const ACT = { does: 'Act', afterMinutes: 60 } as const;

describe('something', () => {
  test.each<[string, Signals, { does: 'Nothing' | 'Warn' | 'Act'; afterMinutes: number }, Episode | undefined, string]>(
    [
      ['quiet for an hour is warned of', { cpu: ago(60), user: ago(90) }, WARN, undefined, 'warn'],
      ['quiet for less is not', { cpu: ago(59), user: ago(90) }, WARN, undefined, 'wait'],
      ['that computes is in use', { cpu: 'busy', user: ago(90) }, WARN, undefined, 'end'],
      [
        'whose GPU nobody measures is never idle',
        { cpu: ago(90), gpu: 'unknown', user: ago(90) },
        ACT,
        undefined,
        'wait',
      ],
      ['that nothing is known of is never idle', {}, ACT, undefined, 'wait'],
      ['that somebody visited just now is not idle', { cpu: ago(90), user: ago(1) }, WARN, undefined, 'wait'],
      [
        'without a policy is left alone',
        { cpu: ago(90), user: ago(90) },
        { does: 'Nothing', afterMinutes: 5 },
        undefined,
        'end',
      ],
      [
        'warned of is not stopped by a policy that warns',
        { cpu: ago(900), user: ago(900) },
        WARN,
        { warnedAt: ago(800) },
        'wait',
      ],
      ['warned of is stopped after the grace', { cpu: ago(90), user: ago(90) }, ACT, { warnedAt: ago(15) }, 'act'],
      ['warned of is not stopped before', { cpu: ago(90), user: ago(90) }, ACT, { warnedAt: ago(14) }, 'wait'],
      ['warned of and used since is not stopped', { cpu: ago(90), user: ago(3) }, ACT, { warnedAt: ago(20) }, 'end'],
      [
        'warned of and not known any more is not stopped',
        { cpu: 'unknown', user: ago(90) },
        ACT,
        { warnedAt: ago(99) },
        'wait',
      ],
      ['quiet since a time to come is not idle', { cpu: ago(-5), user: ago(90) }, ACT, { warnedAt: ago(99) }, 'wait'],
      ['with a signal that is no time is not idle', { cpu: Number.NaN, user: ago(90) }, ACT, undefined, 'wait'],
    ],
  )('%s', (_title, signals, policy, episode, does) => {
    expect(decideIdle(signals, policy, NOW, episode).do).toBe(does);
  });
});

const signal = fc.oneof(
  fc.constantFrom<Signal>('busy', 'unknown'),
  fc.integer({ min: NOW - 90_000_000, max: NOW + 90_000_000 }),
  fc.constant(Number.NaN),
);
const anything = fc.record({
  signals: fc.dictionary(fc.constantFrom('cpu', 'gpu', 'user'), signal),
  policy: fc.record({
    does: fc.constantFrom('Nothing' as const, 'Warn' as const, 'Act' as const),
    afterMinutes: fc.integer({ min: 5, max: 43_200 }),
  }),
  warnedAt: fc.option(fc.integer({ min: NOW - 90_000_000, max: NOW + 90_000_000 }), { nil: undefined }),
});

test('whatever is seen, only what is known to be quiet for long enough is warned of or stopped', () => {
  fc.assert(
    fc.property(anything, ({ signals, policy, warnedAt }) => {
      const episode = warnedAt === undefined ? undefined : { warnedAt };
      const decision = decideIdle(signals, policy, NOW, episode);
      if (decision.do !== 'warn' && decision.do !== 'act') return;
      for (const one of Object.values(signals))
        expect(NOW - (one as number)).toBeGreaterThanOrEqual(policy.afterMinutes * MINUTE);
      expect(policy.does).not.toBe('Nothing');
      if (decision.do === 'warn') expect(episode).toBeUndefined();
      else expect([policy.does, NOW - (warnedAt ?? NOW) >= GRACE_MS]).toEqual(['Act', true]);
    }),
  );
});

test.each([
  ['is quiet from the first time that it is seen so', { cpu: 'quiet' }, {}, { cpu: NOW }],
  ['stays quiet since then', { cpu: 'quiet' }, { cpu: ago(9) }, { cpu: ago(9) }],
  ['begins anew once nothing was known', { cpu: 'unknown' }, { cpu: ago(9) }, {}],
  ['begins anew after it was busy', { cpu: 'busy' }, { cpu: ago(9) }, {}],
  ['begins anew where the clock was set back', { cpu: 'quiet' }, { cpu: ago(-9) }, { cpu: NOW }],
] as const)('a signal %s', (_title, seen, known, expected) => {
  expect(quietSince(seen, known, NOW)).toEqual(expected);
});

const DAY = 1440;
test.each([
  ['an hour', ago(60), undefined, ago(DAY), 2_000_000n],
  ['nothing before it was stopped', undefined, undefined, ago(DAY), 0n],
  ['until it ran again', ago(120), ago(90), ago(DAY), 1_000_000n],
  ['this month alone', ago(120), undefined, ago(30), 1_000_000n],
  ['thirty days at most', ago(40 * DAY), undefined, ago(60 * DAY), 1_440_000_000n],
  ['nothing where clocks disagree', ago(-60), ago(30), ago(DAY), 0n],
])('what is saved is %s', (_title, actedAt, endedAt, from, expected) => {
  expect(savedIn({ actedAt, endedAt, perHour: 2_000_000n }, { from, to: NOW })).toBe(expected);
});
