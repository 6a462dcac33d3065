// Incidents of the status page: written in three languages, and followed by words with states until they are resolved.
import {
  INCIDENT_STATES,
  type IncidentState,
  STATUS_COMPONENTS,
} from '@gantry/contract/areas/portal/incident-facts.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import { useAreaWords, useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import MenuItem from '@mui/material/MenuItem';
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
import { useTyped } from '../../parts/use-typed.ts';
import type { AdminData } from '../../providers/data-provider.ts';
import { useTableWords } from '../../table-words.ts';
import { resourceOf } from '../../tables.ts';
import type { words as english } from '../../words/en/operation.ts';

type Incident = AdminRow<'incidents'>;
interface Draft {
  title: Texts;
  text: Texts;
  components: readonly string[];
  state: IncidentState;
}

export function Create() {
  const data = useDataProvider<AdminData>();
  const redirect = useRedirect();
  const resource = resourceOf('incidents');
  return (
    <>
      <CreateTitle />
      <Editor
        first={{ title: NO_TEXTS, text: NO_TEXTS, components: [], state: 'investigating' }}
        onSave={async (draft, reason) => {
          const { data: made } = await data.create(resource, { data: { ...draft, reason } });
          redirect('show', resource, made.id);
        }}
      />
    </>
  );
}

export const Show = () => (
  <AdminShow>
    <IncidentPage />
  </AdminShow>
);

const FACTS = ['title', 'state', 'components', 'started_at', 'resolved_at', 'created_by'];

function IncidentPage() {
  const row = useRecordContext<Incident>();
  const words = useTableWords('incidents');
  const language = useLanguage();
  const data = useDataProvider<AdminData>();
  const refresh = useRefresh();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  if (!row) return null;
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Card sx={{ p: 2 }}>
        <FactList name="incidents" fields={FACTS} />
      </Card>
      {permissions?.has('adminUpdateIncident') && (
        <Editor
          key={row.updates.length}
          first={{ title: row.title, text: NO_TEXTS, components: row.components, state: row.state }}
          onSave={async (draft, reason) => {
            const path = `incidents/${encodeURIComponent(row.id)}/update`;
            await data.ask(path, { method: 'POST', body: { ...draft, reason } });
            refresh();
          }}
        />
      )}
      <Card sx={{ p: 2 }}>
        <Typography variant="h2">{words.label('updates')}</Typography>
        {row.updates.toReversed().map((update) => (
          <Box key={update.at} sx={{ mt: 2 }}>
            <Typography sx={{ fontWeight: 600 }}>
              {words.choice('state', update.state)} · <TimeText time={update.at} />
            </Typography>
            <Typography sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{update.text[language]}</Typography>
          </Box>
        ))}
      </Card>
    </Box>
  );
}

function Editor({ first, onSave }: { first: Draft; onSave(draft: Draft, reason: string): Promise<void> }) {
  const t = useAreaWords<typeof english>('operation');
  const words = useTableWords('incidents');
  const [began] = useState(first);
  const [draft, setDraft] = useState(first);
  useTyped(JSON.stringify(draft) !== JSON.stringify(began));
  const [language, setLanguage] = useState<Language>(useLanguage());
  const [isAsked, setAsked] = useState(false);
  const write = (field: 'title' | 'text', text: string) =>
    setDraft({ ...draft, [field]: { ...draft[field], [language]: text } });
  const isMissing = (each: Language) => draft.title[each].trim() === '' || draft.text[each].trim() === '';
  return (
    <Card sx={{ p: 2 }}>
      <LanguageTabs language={language} onLanguage={setLanguage} isMissing={isMissing}>
        <TextField
          label={t('incident.title')}
          value={draft.title[language]}
          onChange={({ target }) => write('title', target.value)}
          slotProps={{ htmlInput: { maxLength: 200 } }}
          required
        />
        <TextField
          label={t('incident.text')}
          value={draft.text[language]}
          onChange={({ target }) => write('text', target.value)}
          slotProps={{ htmlInput: { maxLength: 4000 } }}
          multiline
          minRows={4}
          required
        />
        <TextField
          select
          label={words.label('components')}
          value={draft.components}
          onChange={({ target }) => setDraft({ ...draft, components: [target.value].flat() })}
          slotProps={{ select: { multiple: true } }}
          required
        >
          {STATUS_COMPONENTS.map((each) => (
            <MenuItem key={each} value={each}>
              {words.choice('components', each)}
            </MenuItem>
          ))}
        </TextField>
        <TextField
          select
          label={words.label('state')}
          value={draft.state}
          onChange={({ target }) => setDraft({ ...draft, state: target.value as IncidentState })}
        >
          {INCIDENT_STATES.map((each) => (
            <MenuItem key={each} value={each}>
              {words.choice('state', each)}
            </MenuItem>
          ))}
        </TextField>
        <Box>
          <Button variant="contained" onClick={() => setAsked(true)}>
            {t('incident.save')}
          </Button>
        </Box>
      </LanguageTabs>
      {isAsked && (
        <ReasonDialog
          title={t('incident.saveTitle')}
          confirmLabel={t('incident.save')}
          onConfirm={(reason) => onSave(draft, reason)}
          onClose={() => setAsked(false)}
        >
          <Typography>{t('incident.saveText')}</Typography>
        </ReasonDialog>
      )}
    </Card>
  );
}
