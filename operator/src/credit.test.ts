import { describe, expect, test } from '@jest/globals';
import { creditOf } from './credit.ts';

const at = (second: number): string => `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`;
const ms = (second: number): number => Date.parse(at(second));
const owner = (status: object = {}, generation = 2) => ({
  apiVersion: 'gantry.dev/v1alpha1',
  kind: 'DataDisk',
  metadata: { name: 'data', generation },
  status,
});

describe('credit', () => {
  const said = (status: 'True' | 'False', reason: string, message = '', observedGeneration = 2) => ({
    conditions: [{ type: 'CreditReserved', status, reason, message, observedGeneration, lastTransitionTime: at(0) }],
    credit: { until: at(30) },
  });
  const reserved = said('True', 'Reserved');
  const waits = { trouble: { reason: 'WaitingForCredit', args: {} }, isOut: false };
  const NUMBERS = 'needs 1.20 USD, 0.34 USD available';
  const numbers = { detail: NUMBERS };
  test.each([
    ['is not asked for where the gate is off', {}, 'off', 10, { isOut: false }],
    ['is waited for until billing has spoken', {}, 'required', 10, waits],
    ['is there once it is reserved', reserved, 'required', 10, { isOut: false }],
    ['is not, for another wish', said('True', 'Reserved', '', 1), 'required', 10, waits],
    ['is not, when its time is over', reserved, 'required', 30, waits],
    [
      'is out, in the words of billing',
      said('False', 'OutOfCredit', NUMBERS),
      'required',
      10,
      { trouble: { reason: 'OutOfCredit', args: numbers }, isOut: true },
    ],
    [
      'is out for what an older wish cost, too',
      said('False', 'OutOfCredit', NUMBERS, 1),
      'required',
      10,
      { trouble: { reason: 'OutOfCredit', args: numbers }, isOut: true },
    ],
    [
      'is out at a cap',
      said('False', 'SpendCapReached', NUMBERS),
      'required',
      10,
      { trouble: { reason: 'SpendCapReached', args: numbers }, isOut: true },
    ],
    [
      'holds back what has no price, and ends nothing',
      said('False', 'NoPrice', 'gpu/H100'),
      'required',
      10,
      { trouble: { reason: 'NoPrice', args: { detail: 'gpu/H100' } }, isOut: false },
    ],
    [
      'holds back what the plan does not have, and ends nothing',
      said('False', 'PlanLimit', '2 hosts of 1'),
      'required',
      10,
      { trouble: { reason: 'PlanLimit', args: { detail: '2 hosts of 1' } }, isOut: false },
    ],
    ['is waited for where billing gives a reason that nobody knows', said('False', 'Other'), 'required', 10, waits],
    [
      'has something to show where billing says nothing',
      said('False', 'NoPrice'),
      'required',
      10,
      { trouble: { reason: 'NoPrice', args: { detail: '–' } }, isOut: false },
    ],
  ] as const)('%s', (_, status, gate, second, wanted) => {
    expect(creditOf(owner(status), gate, ms(second))).toEqual(wanted);
  });
});
