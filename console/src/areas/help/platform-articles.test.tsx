// Articles of the platform's staff on the help page: found by their title, opened in place, and harmless.
import { answer, answerOf, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { expect, test } from '@jest/globals';
import { fireEvent, render, screen } from '@testing-library/react';
import { PlatformArticles, usePlatformArticles } from './platform-articles.tsx';

const fetched = playNetwork();
const HEADS = [
  { slug: 'first', title: '<b>First</b>', published_at: '2026-11-25T00:00:00Z' },
  { slug: 'second', title: 'Second', published_at: '2026-11-25T00:00:00Z' },
];

const Articles = ({ search }: { search: string }) => <PlatformArticles articles={usePlatformArticles(search)} />;

test('they open in place, without what could run, and are searched by their title', async () => {
  fetched.mockImplementation(async (url) =>
    String(url).endsWith('/articles')
      ? answer({ code: 0, message: 'ok', data: HEADS })
      : answerOf({ ...HEADS[0], content: '**bold** <script>alert(1)</script>' }),
  );
  const { rerender, container } = render(<Articles search="" />, { wrapper: appAround({}) });
  fireEvent.click(await screen.findByRole('button', { name: '<b>First</b>' }));
  expect((await screen.findByText('bold')).tagName).toBe('STRONG');
  expect(container.querySelector('script')).toBeNull();
  rerender(<Articles search="second" />);
  expect(screen.queryByRole('button', { name: '<b>First</b>' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Second' })).toBeTruthy();
});
