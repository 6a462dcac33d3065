// One model: its facts, the GPUs that it fits with their price, how it is used, its card and its files.

import { pathOf } from '@gantry/contract/areas/portal/pages.ts';
import { exactText } from '@gantry/ui/format/money.ts';
import { numberText } from '@gantry/ui/format/number.ts';
import { bytesText } from '@gantry/ui/format/size.ts';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import type { PageModule, Shown } from '../page-module.ts';
import { ArticleText } from '../parts/article-text.tsx';
import { Command } from '../parts/command.tsx';
import { Day } from '../parts/day.tsx';
import { type Fact, Facts } from '../parts/facts.tsx';
import { Kept } from '../parts/kept.tsx';
import { valueText } from '../parts/library-list.tsx';
import { languageName, shortNumber } from '../parts/library-text.ts';
import { LinkButton } from '../parts/link-button.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { stockText } from '../parts/stock-text.ts';
import { usePortalWords } from '../parts/use-portal-words.ts';
import { WideTable } from '../parts/wide-table.tsx';

const MOST_FILES = 200;

export const page: PageModule<'model'> = {
  head(t, { data: { readPortalModel: model } }) {
    const prices = model.fits.flatMap(({ price }) => (price ? [price] : []));
    const amounts = prices.map(({ amount }) => amount).toSorted((a, b) => Number(a) - Number(b));
    return {
      title: model.name,
      description: model.summary || t('library.describe', { name: model.name }),
      linkedData: [
        {
          ...{ '@type': 'Product', name: model.name, category: 'Machine learning model', sku: model.id },
          ...(model.summary !== '' && { description: model.summary }),
          ...(amounts.length > 0 && {
            offers: {
              ...{ '@type': 'AggregateOffer', lowPrice: amounts[0], highPrice: amounts.at(-1) },
              ...{ priceCurrency: prices[0]?.currency, offerCount: amounts.length },
            },
          }),
        },
      ],
    };
  },
  Page(shown) {
    const t = usePortalWords();
    const { data, site } = shown;
    return (
      <>
        <Kept>{typeof window === 'undefined' ? <Described {...shown} /> : null}</Kept>
        <Typography variant="h2" sx={{ mt: 4, mb: 1 }}>
          {t('library.api')}
        </Typography>
        <Typography color="text.secondary" sx={{ mb: 1.5 }}>
          {t('library.apiLine')}
        </Typography>
        <Command text={callOf(data.readPortalModel.task, site.console)} label={t('library.api')} />
        <Kept>{typeof window === 'undefined' ? <CardAndFiles {...shown} /> : null}</Kept>
      </>
    );
  },
};

type Task = Shown<'model'>['data']['readPortalModel']['task'];

const CALLS: Readonly<Record<NonNullable<Task>, readonly [path: string, body: string]>> = {
  Generate: ['chat/completions', '{"model": "my-model", "messages":\n       [{"role": "user", "content": "Hello"}]}'],
  Embed: ['embeddings', '{"model": "my-model", "input": ["Hello"]}'],
  Rerank: ['rerank', '{"model": "my-model", "query": "GPU",\n       "documents": ["a card", "a tree"]}'],
};

function callOf(task: Task, origin: string): string {
  const [path, body] = CALLS[task ?? 'Generate'];
  return `curl ${origin}/v1/${path} \\
  -H "Authorization: Bearer $GANTRY_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '${body}'`;
}

/** The console's form of a new deployment, with this model chosen. */
const deployPath = (origin: string, id: string, version: string): string =>
  `${origin}/model/deployment/create?${new URLSearchParams({ model: id, version })}`;

function Described({ data: { readPortalModel: model }, language, site }: Shown<'model'>) {
  const t = usePortalWords();
  const number = numberText;
  const facts: readonly Fact[] = [
    ...(model.task === null ? [] : ([[t('library.facets.task'), valueText(t, 'task', model.task, language)]] as const)),
    [t('library.parameters'), model.parameters === null ? '–' : shortNumber(model.parameters, language)],
    [t('library.context'), number(model.context_length)],
    [t('library.size'), bytesText(model.size_bytes)],
    [t('library.memory'), bytesText(model.weight_bytes)],
    [t('library.perToken'), bytesText(model.kv_token_bytes)],
    [t('library.facets.license'), <bdi key="">{model.license ?? '–'}</bdi>],
    [t('library.facets.structure'), <bdi key="">{model.structure ?? '–'}</bdi>],
    [t('library.facets.format'), model.format ?? '–'],
    [t('library.quantisation'), <bdi key="">{model.quantisation ?? '–'}</bdi>],
    [
      t('library.facets.language'),
      <bdi key="">{model.language.map((code) => languageName(code, language)).join(', ') || '–'}</bdi>,
    ],
    [t('library.version'), <bdi key="">{model.version ?? '–'}</bdi>],
    [t('library.downloads'), number(model.downloads)],
    [t('library.updated'), <Day key="" at={model.update_time} />],
    ...(model.repository === null
      ? []
      : ([
          [t('library.repository'), <bdi key="">{[model.repository, model.revision].filter(Boolean).join(' @ ')}</bdi>],
        ] as const)),
    ...(model.tags.length === 0 ? [] : ([[t('library.tags'), <bdi key="">{model.tags.join(', ')}</bdi>]] as const)),
  ];
  return (
    <>
      <Link href={pathOf({ name: 'modelLibrary', language })} underline="hover" sx={{ fontSize: 14 }}>
        {t('library.all')}
      </Link>
      <PageTitle title={model.name} />
      {model.version !== null && (
        <Box sx={{ my: 3 }}>
          <LinkButton href={deployPath(site.console, model.id, model.version)} isMain isLarge>
            {t('library.deploy')}
          </LinkButton>
        </Box>
      )}
      <Box sx={{ mt: 3 }}>
        <Facts facts={facts} />
      </Box>
      <Typography variant="h2" sx={{ mt: 4, mb: 1 }}>
        {t('library.fits')}
      </Typography>
      {model.fits.length === 0 ? (
        <Typography>{t('library.noFits')}</Typography>
      ) : (
        <WideTable
          label={t('library.fits')}
          head={[
            ...[t('library.gpu'), t('library.cards'), t('library.hour'), t('market.free')],
            ...[t('library.engine'), t('library.context'), t('library.arithmetic')],
          ]}
        >
          {model.fits.map((fit) => (
            <tr key={fit.gpu}>
              <th scope="row">
                <a href={pathOf({ name: 'computing', language, params: { id: fit.gpu } })}>
                  <bdi>{fit.name}</bdi>
                </a>
              </th>
              {fit.fits ? (
                <>
                  <td>{t('library.cardsOf', { gpus: fit.gpus ?? 1, nodes: fit.nodes ?? 1 })}</td>
                  <td>{fit.price ? exactText(fit.price.amount, fit.price.currency) : t('market.noPrice')}</td>
                  <td>{stockText(t, fit.free)}</td>
                  <td>{fit.engine ?? '–'}</td>
                  <td>{number(fit.context_length)}</td>
                </>
              ) : (
                <td colSpan={5}>{[t('library.noFit'), fit.message].filter(Boolean).join(': ')}</td>
              )}
              <td>
                {fit.arithmetic.map((line) => (
                  <div key={line}>{line}</div>
                ))}
              </td>
            </tr>
          ))}
        </WideTable>
      )}
      <Typography variant="body2" color="text.secondary" sx={{ mt: 1 }}>
        {t('library.priceLine')}
      </Typography>
    </>
  );
}

function CardAndFiles({ data: { readPortalModel: model } }: Shown<'model'>) {
  const t = usePortalWords();
  const more = model.files.length - MOST_FILES;
  return (
    <>
      {model.card.trim() !== '' && (
        <Box component="section" aria-label={t('library.card')} sx={{ mt: 4, maxWidth: '46rem' }}>
          <Typography variant="h2" sx={{ mb: 1 }}>
            {t('library.card')}
          </Typography>
          <ArticleText text={model.card} />
        </Box>
      )}
      {model.files.length > 0 && (
        <>
          <Typography variant="h2" sx={{ mt: 4, mb: 1 }}>
            {t('library.files')}
          </Typography>
          <WideTable label={t('library.files')} head={[t('library.file'), t('library.fileSize'), 'SHA-256']}>
            {model.files.slice(0, MOST_FILES).map(({ path, size_bytes, sha256 }) => (
              <tr key={path}>
                <th scope="row">
                  <bdi>{path}</bdi>
                </th>
                <td>{bytesText(size_bytes)}</td>
                <td>{sha256 === null ? '–' : <code>{sha256}</code>}</td>
              </tr>
            ))}
          </WideTable>
          {more > 0 && <Typography sx={{ mt: 1 }}>{t('library.moreFiles', { smart_count: more })}</Typography>}
        </>
      )}
    </>
  );
}
