import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { Markdown } from './markdown.tsx';

const TEXT = '# Results\n\n###\n\n[link](javascript:alert(1)) <b>bold</b>';

test('the headings of an article follow those of its page, and nothing of it can run', () => {
  const { container } = render(<Markdown text={TEXT} />);
  expect(screen.getByRole('heading', { level: 3, name: 'Results' }).tagName).toBe('H3');
  expect(container.querySelector('b')).toBeNull();
  expect(container.querySelector('a')?.getAttribute('href')).toBe('');
});

test('a message has no headings, empty ones neither', () => {
  render(<Markdown text={TEXT} isMessage />);
  expect(screen.queryAllByRole('heading')).toEqual([]);
  expect(screen.getByText('Results').tagName).toBe('STRONG');
});
