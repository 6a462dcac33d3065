// An article: its newest version to edit beside how readers will see it, its versions, and publishing, withdrawing and rolling back.

import { LANGUAGES, type Language } from '@gantry/contract/fields/language.ts';
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import { LANGUAGE_NAMES } from '@gantry/ui/i18n/language.ts';
import { useAreaWords } from '@gantry/ui/i18n/use-words.tsx';
import { ErrorState } from '@gantry/ui/widgets/states.tsx';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Dialog from '@mui/material/Dialog';
import DialogContent from '@mui/material/DialogContent';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import {
  useDataProvider,
  useGetOne,
  useNotify,
  usePermissions,
  useRecordContext,
  useRedirect,
  useRefresh,
} from 'react-admin';
import { CreateTitle } from '../../parts/create-title.tsx';
import { FactList } from '../../parts/fact-list.tsx';
import { AdminShow } from '../../parts/generic-show.tsx';
import { NO_TEXTS } from '../../parts/language-texts.tsx';
import { PageLoading } from '../../parts/page-loading.tsx';
import { PageTabs } from '../../parts/page-tabs.tsx';
import { AuditOf, PartList } from '../../parts/part-list.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { useBegunRow, versionOf } from '../../parts/use-begun-row.ts';
import type { AdminData } from '../../providers/data-provider.ts';
import { resourceOf } from '../../tables.ts';
import type { words as english } from '../../words/en/operation.ts';
import { ArticleEditor, NewArticle } from './article-editor.tsx';

type Article = AdminRow<'articles'>;
type Version = AdminRow<'article-versions'>;

export function Create() {
  const data = useDataProvider<AdminData>();
  const redirect = useRedirect();
  return (
    <>
      <CreateTitle />
      <NewArticle
        first={{ title: NO_TEXTS, content: NO_TEXTS }}
        onSave={async (draft, reason) => {
          const { data: made } = await data.create(resourceOf('articles'), { data: { ...draft, reason } });
          redirect('show', resourceOf('articles'), made.id);
        }}
      />
    </>
  );
}

export const Show = () => (
  <AdminShow actions={<Commands />}>
    <ArticlePage />
  </AdminShow>
);

const FACTS = [
  ...['slug', 'kind', 'state', 'position', 'latest', 'published', 'published_at', 'votes_yes', 'votes_no'],
  ...['changed_by', 'changed_at'],
];

function ArticlePage() {
  const t = useAreaWords<typeof english>('operation');
  const article = useRecordContext<Article>();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  if (!article) return null;
  return (
    <PageTabs
      label={t('article.parts')}
      tabs={[
        { name: 'text', label: t('article.text'), content: <Newest key={article.id} newest={article} /> },
        {
          name: 'facts',
          label: t('article.facts'),
          content: (
            <Card sx={{ p: 2 }}>
              <FactList name="articles" fields={FACTS} />
            </Card>
          ),
        },
        {
          name: 'versions',
          label: t('article.versions'),
          content: <PartList name="article-versions" target="article_id" />,
        },
        ...(permissions?.has('manage/audit')
          ? [{ name: 'audit', label: t('article.audit'), content: <AuditOf object={`Article/${article.id}`} /> }]
          : []),
      ]}
    />
  );
}

function Newest({ newest }: { newest: Article }) {
  const data = useDataProvider<AdminData>();
  const refresh = useRefresh();
  const { row: article, onTyped, onSaved } = useBegunRow(newest);
  const id = `${article.id}.${article.latest}`;
  const { data: version, error, refetch } = useGetOne<Version>(resourceOf('article-versions'), { id });
  // A refetch that fails takes no editor away.
  if (error && !version) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!version) return <PageLoading />;
  return (
    <ArticleEditor
      key={`${version.id} ${versionOf(article)}`}
      onTyped={onTyped}
      first={{ ...version, slug: article.slug, position: article.position }}
      onSave={async (draft, reason) => {
        await data.update(resourceOf('articles'), {
          id: article.id,
          data: { ...article, ...draft, reason },
          previousData: article,
        });
        onSaved();
        refresh();
      }}
    />
  );
}

/** Publishes the newest version, or takes the article from its readers. */
function Commands() {
  const t = useAreaWords<typeof english>('operation');
  const article = useRecordContext<Article>();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const [isWithdrawing, setWithdrawing] = useState(false);
  if (!article) return null;
  return (
    <>
      {permissions?.has('adminWithdrawArticle') && article.published !== null && (
        <Button color="error" onClick={() => setWithdrawing(true)}>
          {t('article.withdraw')}
        </Button>
      )}
      <OpenPreview articleId={article.id} number={article.latest} />
      {article.published_before !== null && (
        <Publish
          articleId={article.id}
          number={article.published_before}
          label={t('article.rollBack', { number: article.published_before })}
          isBack
        />
      )}
      {article.published !== article.latest && (
        <Publish articleId={article.id} number={article.latest} label={t('article.publish')} />
      )}
      {isWithdrawing && <Withdraw article={article} onClose={() => setWithdrawing(false)} />}
    </>
  );
}

function Withdraw({ article, onClose }: { article: Article; onClose(): void }) {
  const t = useAreaWords<typeof english>('operation');
  const data = useDataProvider<AdminData>();
  const refresh = useRefresh();
  const withdraw = async (reason: string) => {
    await data.ask(`articles/${encodeURIComponent(article.id)}/withdraw`, { method: 'POST', body: { reason } });
    refresh();
  };
  return (
    <ReasonDialog
      title={t('article.withdrawTitle')}
      confirmLabel={t('article.withdraw')}
      isDangerous
      onConfirm={withdraw}
      onClose={onClose}
    >
      <Typography>{t('article.withdrawText')}</Typography>
    </ReasonDialog>
  );
}

/** Links to a version as the portal shows it; they are asked for when they are wanted, because they expire. */
export function OpenPreview({ articleId, number }: { articleId: string; number: number }) {
  const t = useAreaWords<typeof english>('operation');
  const data = useDataProvider<AdminData>();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const notify = useNotify();
  const [links, setLinks] = useState<Record<Language, string>>();
  if (!permissions?.has('adminPreviewArticle')) return null;
  const ask = async () => {
    const path = `articles/${encodeURIComponent(articleId)}/preview`;
    try {
      setLinks((await data.ask(path, { method: 'POST', body: { number } })) as Record<Language, string>);
    } catch (error) {
      notify(error instanceof Error ? error.message : `${error}`, { type: 'error' });
    }
  };
  return (
    <>
      <Button onClick={() => void ask()}>{t('article.preview')}</Button>
      {links && (
        <Dialog open onClose={() => setLinks(undefined)} aria-label={t('article.preview')}>
          <DialogContent>
            <Typography sx={{ mb: 2 }}>{t('article.previewText')}</Typography>
            {LANGUAGES.map((language) => (
              <Button key={language} href={links[language]} target="_blank" rel="noopener">
                {LANGUAGE_NAMES[language]}
              </Button>
            ))}
          </DialogContent>
        </Dialog>
      )}
    </>
  );
}

interface PublishProps {
  articleId: string;
  number: number;
  label: string;
  /** To an earlier version: not the main command. */
  isBack?: boolean;
}

export function Publish({ articleId, number, label, isBack = false }: PublishProps) {
  const t = useAreaWords<typeof english>('operation');
  const data = useDataProvider<AdminData>();
  const notify = useNotify();
  const refresh = useRefresh();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const [isAsked, setAsked] = useState(false);
  if (!permissions?.has('adminPublishArticle')) return null;
  const publish = async (reason: string) => {
    const path = `articles/${encodeURIComponent(articleId)}/publish`;
    await data.ask(path, { method: 'POST', body: { number, reason } });
    notify(t('article.published', { number }), { type: 'success' });
    refresh();
  };
  return (
    <>
      <Button variant={isBack ? 'text' : 'contained'} onClick={() => setAsked(true)}>
        {label}
      </Button>
      {isAsked && (
        <ReasonDialog
          title={t('article.publishTitle', { number })}
          confirmLabel={label}
          onConfirm={publish}
          onClose={() => setAsked(false)}
        >
          <Typography>{t('article.publishText')}</Typography>
        </ReasonDialog>
      )}
    </>
  );
}
