// The view in place of a page whose script is missing.
import { expect, jest, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { appAround } from '../testing/played-app.tsx';
import { words } from '../words/en.ts';
import { PageFailed } from './page-failed.tsx';

test('a page whose script is missing says so in words, with a way to try again', async () => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  const missing = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
  const router = createMemoryRouter([
    { path: '*', lazy: missing, ErrorBoundary: PageFailed, HydrateFallback: () => null },
  ]);
  render(<RouterProvider router={router} />, { wrapper: appAround({}) });
  await screen.findByText(words.states.failed);
  screen.getByRole('button');
  expect(screen.queryByText(/dynamically imported/)).toBeNull();
});
