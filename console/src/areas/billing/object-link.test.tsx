// The label of a charge, and the line below it.
import { afterEach, expect, test } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { ObjectLink } from './object-link.tsx';

afterEach(cleanup);
const show = (reference: string, name: string) =>
  render(<ObjectLink reference={reference} name={name} />, { wrapper: MemoryRouter }).container;

test('a link has the name alone, and the id stands below', () => {
  const shown = show('GpuInstance/ins-1', 'dev');
  expect(screen.getByRole('link', { name: 'dev' }).getAttribute('href')).toBe('/develop/instance/ins-1');
  expect(shown.textContent).toBe('devins-1');
});

test.each([
  ['without a name the id is the link, once', 'DataDisk/dsk-1', '', 'dsk-1'],
  ['what goes by its id has it once', 'DataDisk/dsk-1', 'dsk-1', 'dsk-1'],
  ['what has no page is no link', 'pay-1', 'Standard', 'Standard'],
])('%s', (_, reference, name, text) => {
  expect(show(reference, name).textContent).toBe(text);
  expect(screen.queryAllByRole('link')).toHaveLength(reference.includes('/') ? 1 : 0);
});
