import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { close, FRESH, type Outcome, type SeriesState, step, type Timing, type Transition } from './step.ts';

const MET: Outcome = { seen: 'met', level: 'Warning' };
const OF: Readonly<Record<string, Outcome>> = {
  '1': MET,
  '0': { seen: 'unmet' },
  '?': { seen: 'unknown' },
  x: { seen: 'gone' },
  C: { seen: 'met', level: 'Critical' },
  I: { seen: 'met', level: 'Info' },
};

/** Each letter is a cycle; `!` is somebody who closes it. Returns what happened, as `cycle:transition`. */
function live(timing: Timing, letters: string): { state: SeriesState; happened: string[] } {
  let state = FRESH;
  const happened: string[] = [];
  [...letters].forEach((letter, at) => {
    if (letter === '!') {
      state = close(state);
      return;
    }
    const next = step(timing, state, OF[letter] as Outcome, at + 1);
    state = next.state;
    happened.push(...next.transitions.map((transition) => `${at + 1}:${transition}`));
  });
  return { state, happened };
}

const timing = (met: number, of: number, endsAfter: number): Timing => ({ begins: { met, of }, endsAfter });

describe('the life of an alarm', () => {
  const rows: Record<string, [Timing, cycles: string, happened: string[]]> = {
    'one cycle is enough where one is asked for': [timing(1, 1, 1), '01', ['2:fired']],
    'three in a row': [timing(3, 3, 1), '0110111', ['2:began', '7:fired']],
    'three of five, not in a row': [timing(3, 5, 1), '10101', ['1:began', '5:fired']],
    'two of five come to nothing once they are out of the window': [
      timing(3, 5, 1),
      '1100000',
      ['1:began', '7:dropped'],
    ],
    'it ends after three normal cycles in a row': [timing(1, 1, 3), '1001000', ['1:fired', '7:resolved']],
    'what is not known neither begins, nor ends, nor counts': [
      timing(2, 2, 2),
      '1?1??0????0',
      ['1:began', '3:fired', '11:resolved'],
    ],
    'an object that rests ends its alarm': [timing(1, 1, 5), '1x', ['1:fired', '2:gone']],
    'an object that rests ends what never fired': [timing(2, 2, 1), '1x', ['1:began', '2:dropped']],
    'cycles of an episode that is over do not count for the next': [
      timing(2, 5, 1),
      '11011',
      ['1:began', '2:fired', '3:resolved', '4:began', '5:fired'],
    ],
    'a worse level is told': [timing(1, 1, 1), '1C1', ['1:fired', '2:raised']],
    'a better level is not told': [timing(1, 1, 1), 'C1I', ['1:fired']],
    'a closed one says nothing more': [timing(1, 1, 2), '1!1C00', ['1:fired']],
    'after a closed one has ended, the next fires': [timing(1, 1, 2), '1!1001', ['1:fired', '6:fired']],
    'a closed one whose object rests, too': [timing(1, 1, 2), '1!x1', ['1:fired', '4:fired']],
  };
  test.each(Object.entries(rows))('%s', (_title, [of, cycles, happened]) => {
    expect(live(of, cycles).happened).toEqual(happened);
  });
});

test('a cycle that was counted already changes nothing', () => {
  const { state } = step(timing(2, 2, 1), FRESH, MET, 10);
  for (const at of [10, 9]) expect(step(timing(2, 2, 1), state, MET, at)).toEqual({ state, transitions: [] });
});

// The same law, told of the whole history: it knows no states, windows or resets.
function oracle({ begins, endsAfter }: Timing, letters: readonly string[]): ('fired' | 'over')[][] {
  let episode: string[] = [];
  let isFiring = false;
  return letters.map((letter) => {
    if (letter === '?') return [];
    episode.push(letter);
    if (isFiring) {
      const last = episode.slice(-endsAfter);
      if (last.length < endsAfter || last.includes('1')) return [];
      isFiring = false;
      episode = [];
      return ['over'];
    }
    if (episode.slice(-begins.of).filter((one) => one === '1').length < begins.met) return [];
    isFiring = true;
    return ['fired'];
  });
}

test('any cycles: as the history says, and a began one ends exactly once', () => {
  void fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 8 }).chain((of) =>
        fc.record({
          of: fc.constant(of),
          met: fc.integer({ min: 1, max: of }),
          endsAfter: fc.integer({ min: 1, max: 8 }),
        }),
      ),
      fc.array(fc.constantFrom('1', '0', '?'), { maxLength: 80 }),
      ({ met, of, endsAfter }, letters) => {
        const rules = timing(met, of, endsAfter);
        const wanted = oracle(rules, letters);
        let state = FRESH;
        let isOpen = false;
        letters.forEach((letter, at) => {
          const before = structuredClone(state);
          const next = step(rules, state, OF[letter] as Outcome, at + 1);
          expect(state).toEqual(before);
          const told = next.transitions.filter((one) => one === 'fired' || one === 'resolved');
          expect(told.map((one) => (one === 'resolved' ? 'over' : one))).toEqual(wanted[at]);
          const opens = (one: Transition) => one === 'began' || (one === 'fired' && state.phase === 'normal');
          if (next.transitions.some(opens)) {
            expect(isOpen).toBe(false);
            isOpen = true;
          }
          if (next.transitions.some((one) => one === 'resolved' || one === 'dropped')) {
            expect(isOpen).toBe(true);
            isOpen = false;
          }
          expect(next.state.phase === 'normal').toBe(!isOpen);
          expect(next.state.cycles.length).toBeLessThanOrEqual(60);
          state = next.state;
        });
      },
    ),
    { numRuns: 2000 },
  );
});
