// The path to a folder: a person who entered it continues from there, and one who opened the page keeps the focus.
import { appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { words as storage } from '../words/en.ts';
import { FolderCrumbs } from './folder-crumbs.tsx';

playNetwork();

test.each([true, false])('gone into: %s', (isEntered) => {
  render(<FolderCrumbs name="data" path="/models/large" isEntered={isEntered} onOpen={() => {}} />, {
    wrapper: appAround({ storage }),
  });
  const here = screen.getByText('large');
  expect(here.getAttribute('aria-current')).toBe('page');
  expect(document.activeElement === here).toBe(isEntered);
});
