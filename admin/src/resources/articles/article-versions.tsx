// A version of an article as its readers saw it or would, and the way back to it.
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import { useAreaWords } from '@gantry/ui/i18n/use-words.tsx';
import Alert from '@mui/material/Alert';
import Card from '@mui/material/Card';
import { useRecordContext } from 'react-admin';
import { FactList } from '../../parts/fact-list.tsx';
import { AdminShow } from '../../parts/generic-show.tsx';
import type { words as english } from '../../words/en/operation.ts';
import { ArticlePreview } from './article-preview.tsx';
import { OpenPreview, Publish } from './articles.tsx';

type Version = AdminRow<'article-versions'>;

export const Show = () => (
  <AdminShow actions={<Back />}>
    <VersionPage />
  </AdminShow>
);

function Back() {
  const t = useAreaWords<typeof english>('operation');
  const version = useRecordContext<Version>();
  if (!version) return null;
  const { article_id: articleId, number } = version;
  return (
    <>
      <OpenPreview articleId={articleId} number={number} />
      {!version.is_published && <Publish articleId={articleId} number={number} label={t('article.publishThis')} />}
    </>
  );
}

function VersionPage() {
  const t = useAreaWords<typeof english>('operation');
  const version = useRecordContext<Version>();
  if (!version) return null;
  return (
    <>
      {version.is_published && <Alert severity="success">{t('article.isPublished')}</Alert>}
      <Card sx={{ p: 2 }}>
        <FactList name="article-versions" fields={['article_id', 'number', 'reason', 'created_by', 'created_at']} />
      </Card>
      <Card sx={{ p: 2 }}>
        <ArticlePreview title={version.title} content={version.content} />
      </Card>
    </>
  );
}
