// A list's filter: chosen, cleared, and shown even if an address names an unknown option.
import { afterEach, expect, test } from '@jest/globals';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { FilterChoice } from './filter-choice.tsx';

afterEach(cleanup);

const OPTIONS = [
  ['active', 'Active'],
  ['inactive', 'Inactive'],
] as const;

function show(value: string) {
  const chosen: string[] = [];
  render(
    <FilterChoice
      label="Status"
      any="All"
      value={value}
      options={OPTIONS}
      onChange={(each) => void chosen.push(each)}
    />,
  );
  const field = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Status' });
  return { field, chosen, labels: [...field.options].map(({ label }) => label) };
}

test('one is chosen, or any again', () => {
  const { field, chosen, labels } = show('active');
  expect(labels).toEqual(['All', 'Active', 'Inactive']);
  expect(field.selectedOptions[0]?.label).toBe('Active');
  fireEvent.change(field, { target: { value: 'inactive' } });
  fireEvent.change(field, { target: { value: '' } });
  expect(chosen).toEqual(['inactive', '']);
});

test('a choice in the address is shown even where it is not offered', () => {
  const { field, labels } = show('gone');
  expect(labels).toEqual(['All', 'Active', 'Inactive', 'gone']);
  expect(field.value).toBe('gone');
});
