// Articles that the platform's staff publish, before our own: each opens where it stands. Without any, nothing is shown.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import ExpandMore from '@mui/icons-material/ExpandMore';
import Accordion from '@mui/material/Accordion';
import AccordionDetails from '@mui/material/AccordionDetails';
import AccordionSummary from '@mui/material/AccordionSummary';
import Typography from '@mui/material/Typography';
import { Suspense } from 'react';
import { lazyPart } from '../../parts/lazy-part.ts';
import { isAbout } from './blocks-of.ts';

/** The Markdown reader weighs more than the rest of the page. */
const Markdown = lazyPart(() => import('@gantry/ui/widgets/markdown.tsx'), 'Markdown');

/** Those about what is looked for. Our own articles are there whether these can be read or not. */
export function usePlatformArticles(search: string) {
  const { data = [] } = useCall(CALLS.listArticles, {});
  return data.filter(({ title }) => isAbout(title, search));
}

export function PlatformArticles({ articles }: { articles: ReturnType<typeof usePlatformArticles> }) {
  return (
    <>
      {articles.map(({ slug, title }) => (
        <Accordion
          key={slug}
          variant="outlined"
          disableGutters
          slotProps={{ transition: { unmountOnExit: true }, heading: { component: 'h2' } }}
        >
          <AccordionSummary expandIcon={<ExpandMore />}>
            <Typography component="span" variant="h2">
              {title}
            </Typography>
          </AccordionSummary>
          <AccordionDetails>
            <Article slug={slug} />
          </AccordionDetails>
        </Accordion>
      ))}
    </>
  );
}

function Article({ slug }: { slug: string }) {
  const { data, error, refetch } = useCall(CALLS.readArticle, { params: { slug } });
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingRows />;
  return (
    <Suspense fallback={<LoadingRows />}>
      <Markdown text={data.content} />
    </Suspense>
  );
}
