// A failed read: an error that can be tried again, unless there is nothing to try.
import { expect, jest, test } from '@jest/globals';
import { fireEvent, render, screen } from '@testing-library/react';
import { ApiProblem, type ProblemDetail } from '../client/api-problem.ts';
import { appAround, playNetwork } from '../testing/played-app.tsx';
import { ErrorState } from './states.tsx';

playNetwork();

const show = (error: ProblemDetail['error'], onRetry: () => void) =>
  render(<ErrorState error={new ApiProblem({ status: 422, code: 42203, error, message: 'No.' })} onRetry={onRetry} />, {
    wrapper: appAround(),
  });

test('a refusal is an error, and can be tried again', () => {
  const onRetry = jest.fn();
  show('conflict', onRetry);
  expect(screen.getByRole('alert').className).toMatch(/error/i);
  fireEvent.click(screen.getByRole('button'));
  expect(onRetry).toHaveBeenCalledTimes(1);
});

test('what another data centre does not offer is a sentence', () => {
  show('placed_elsewhere', () => {});
  expect(screen.getByRole('alert').className).toMatch(/info/i);
  expect([screen.getByRole('alert').textContent, screen.queryByRole('button')]).toEqual(['No.', null]);
});
