import { playAnswers } from '@gantry/ui/testing/played-app.tsx';
import { expect, jest, test } from '@jest/globals';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { staffAround } from '../testing/played-staff.tsx';

const leaveAtOnce = jest.fn();
const holding = await import('@gantry/ui/session/hold-reload.ts');
jest.unstable_mockModule('@gantry/ui/session/hold-reload.ts', () => ({ ...holding, leaveAtOnce }));
const { EnrolSecondFactor } = await import('./enrol-second-factor.tsx');

playAnswers();

test('whoever has no authenticator at hand can log out', async () => {
  render(<EnrolSecondFactor />, { wrapper: staffAround() });
  fireEvent.click(await screen.findByRole('button', { name: 'Log out' }));
  await waitFor(() => expect(leaveAtOnce).toHaveBeenCalled());
});
