// Announcements: written in three languages beside what the bell will show, planned, changed and taken back.
import type { Language } from '@gantry/contract/fields/language.ts';
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import { localTime, utcTime } from '@gantry/ui/format/local-time.ts';
import { useAreaWords, useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useDataProvider, usePermissions, useRecordContext, useRedirect, useRefresh } from 'react-admin';
import { CreateTitle } from '../../parts/create-title.tsx';
import { FactList } from '../../parts/fact-list.tsx';
import { TimeText } from '../../parts/field-value.tsx';
import { AdminShow } from '../../parts/generic-show.tsx';
import { LanguageTabs, NO_TEXTS, type Texts } from '../../parts/language-texts.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { useBegunRow, versionOf } from '../../parts/use-begun-row.ts';
import { useTyped } from '../../parts/use-typed.ts';
import type { AdminData } from '../../providers/data-provider.ts';
import { resourceOf } from '../../tables.ts';
import type { words as english } from '../../words/en/operation.ts';

type Announcement = AdminRow<'announcements'>;
interface Draft {
  title: Texts;
  content: Texts;
  starts_at: string;
  ends_at: string;
}

const A_DAY_MS = 24 * 3_600_000;

export function Create() {
  const data = useDataProvider<AdminData>();
  const redirect = useRedirect();
  const resource = resourceOf('announcements');
  const [first] = useState<Draft>(() => ({
    title: NO_TEXTS,
    content: NO_TEXTS,
    starts_at: new Date().toISOString(),
    ends_at: new Date(Date.now() + A_DAY_MS).toISOString(),
  }));
  return (
    <>
      <CreateTitle />
      <Editor
        first={first}
        onSave={async (draft, reason) => {
          await data.create(resource, { data: { ...draft, reason } });
          redirect('list', resource);
        }}
      />
    </>
  );
}

export const Show = () => (
  <AdminShow actions={<TakeBack />}>
    <AnnouncementPage />
  </AdminShow>
);

function AnnouncementPage() {
  const row = useRecordContext<Announcement>();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  if (!row) return null;
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Card sx={{ p: 2 }}>
        <FactList name="announcements" fields={['state', 'starts_at', 'ends_at', 'created_by', 'created_at']} />
      </Card>
      {permissions?.has('adminEditAnnouncement') && <Edit key={row.id} newest={row} />}
    </Box>
  );
}

function Edit({ newest }: { newest: Announcement }) {
  const data = useDataProvider<AdminData>();
  const refresh = useRefresh();
  const { row, onTyped, onSaved } = useBegunRow(newest);
  return (
    <Editor
      key={versionOf(row)}
      first={row}
      onTyped={onTyped}
      onSave={async (draft, reason) => {
        await data.update(resourceOf('announcements'), {
          id: row.id,
          data: { ...row, ...draft, reason },
          previousData: row,
        });
        onSaved();
        refresh();
      }}
    />
  );
}

interface EditorProps {
  first: Draft;
  onTyped?(isTyped: boolean): void;
  onSave(draft: Draft, reason: string): Promise<void>;
}

function Editor({ first, onTyped, onSave }: EditorProps) {
  const t = useAreaWords<typeof english>('operation');
  const [began] = useState<Draft>(() => {
    const { title, content, starts_at, ends_at } = first;
    return { title, content, starts_at, ends_at };
  });
  const [draft, setDraft] = useState(began);
  useTyped(JSON.stringify(draft) !== JSON.stringify(began), onTyped);
  const [language, setLanguage] = useState<Language>(useLanguage());
  const [isAsked, setAsked] = useState(false);
  const write = (field: 'title' | 'content', text: string) =>
    setDraft({ ...draft, [field]: { ...draft[field], [language]: text } });
  const isMissing = (each: Language) => draft.title[each].trim() === '' || draft.content[each].trim() === '';
  return (
    <Card
      sx={{
        p: 2,
        display: 'grid',
        gap: 2,
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' },
      }}
    >
      <LanguageTabs language={language} onLanguage={setLanguage} isMissing={isMissing}>
        <TextField
          label={t('announcement.title')}
          value={draft.title[language]}
          onChange={({ target }) => write('title', target.value)}
          slotProps={{ htmlInput: { maxLength: 200 } }}
          required
        />
        <TextField
          label={t('announcement.content')}
          value={draft.content[language]}
          onChange={({ target }) => write('content', target.value)}
          slotProps={{ htmlInput: { maxLength: 4000 } }}
          multiline
          minRows={5}
          required
        />
        <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
          {(['starts_at', 'ends_at'] as const).map((field) => (
            <TextField
              key={field}
              type="datetime-local"
              label={t(`announcement.${field}`)}
              value={localTime(draft[field])}
              onChange={({ target }) => setDraft({ ...draft, [field]: utcTime(target.value) ?? draft[field] })}
              slotProps={{ inputLabel: { shrink: true } }}
            />
          ))}
        </Box>
        <Box>
          <Button variant="contained" onClick={() => setAsked(true)}>
            {t('announcement.save')}
          </Button>
        </Box>
      </LanguageTabs>
      <Box>
        <Typography variant="h2" sx={{ mb: 1.5 }}>
          {t('preview')}
        </Typography>
        <BellPreview
          title={draft.title[language]}
          content={draft.content[language]}
          at={draft.starts_at}
          language={language}
        />
      </Box>
      {isAsked && (
        <ReasonDialog
          title={t('announcement.saveTitle')}
          confirmLabel={t('announcement.save')}
          onConfirm={(reason) => onSave(draft, reason)}
          onClose={() => setAsked(false)}
        >
          <Typography>{t('announcement.saveText')}</Typography>
        </ReasonDialog>
      )}
    </Card>
  );
}

/** A line of the tenants' bell, opened: text as it is, with its line breaks. */
function BellPreview({
  title,
  content,
  at,
  language,
}: {
  title: string;
  content: string;
  at: string;
  language: Language;
}) {
  const t = useAreaWords<typeof english>('operation');
  return (
    <Box
      lang={language}
      sx={{ maxWidth: 400, border: 1, borderColor: 'divider', borderRadius: 1, p: 2, overflowWrap: 'anywhere' }}
    >
      <Typography variant="body2" sx={{ fontWeight: 600 }}>
        {title || t('empty')}
      </Typography>
      <Typography variant="caption" color="text.secondary">
        <TimeText time={at} />
      </Typography>
      <Typography variant="body2" sx={{ whiteSpace: 'pre-wrap', mt: 1 }}>
        {content || t('empty')}
      </Typography>
    </Box>
  );
}

function TakeBack() {
  const t = useAreaWords<typeof english>('operation');
  const row = useRecordContext<Announcement>();
  const data = useDataProvider<AdminData>();
  const redirect = useRedirect();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const [isAsked, setAsked] = useState(false);
  if (!row || !permissions?.has('adminDeleteAnnouncement')) return null;
  const resource = resourceOf('announcements');
  const remove = async (reason: string) => {
    await data.delete(resource, { id: row.id, meta: { reason } });
    redirect('list', resource);
  };
  return (
    <>
      <Button color="error" onClick={() => setAsked(true)}>
        {t('announcement.takeBack')}
      </Button>
      {isAsked && (
        <ReasonDialog
          title={t('announcement.takeBackTitle')}
          confirmLabel={t('announcement.takeBack')}
          isDangerous
          onConfirm={remove}
          onClose={() => setAsked(false)}
        >
          <Typography>{t('announcement.takeBackText')}</Typography>
        </ReasonDialog>
      )}
    </>
  );
}
