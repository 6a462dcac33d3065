// One submission under review: data beside pictures, who else looks at it, and the decision by keyboard.

import { LANGUAGES, type Language } from '@gantry/contract/fields/language.ts';
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import { LANGUAGE_NAMES } from '@gantry/ui/i18n/language.ts';
import { useAreaWords, useLanguage, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import RotateLeft from '@mui/icons-material/RotateLeft';
import RotateRight from '@mui/icons-material/RotateRight';
import ZoomIn from '@mui/icons-material/ZoomIn';
import ZoomOut from '@mui/icons-material/ZoomOut';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Chip from '@mui/material/Chip';
import IconButton from '@mui/material/IconButton';
import List from '@mui/material/List';
import ListItemButton from '@mui/material/ListItemButton';
import TextField from '@mui/material/TextField';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { useEffect, useEffectEvent, useState } from 'react';
import { type HttpError, useDataProvider, useNotify, useRefresh } from 'react-admin';
import { useNavigate } from 'react-router';
import { FactList } from '../../parts/fact-list.tsx';
import { useAsk } from '../../parts/use-ask.ts';
import type { AdminData } from '../../providers/data-provider.ts';
import { useTableWords } from '../../table-words.ts';
import { resourceOf } from '../../tables.ts';
import type { words as english } from '../../words/en/audit.ts';
import { type Answer, reasonsFor } from './reasons.ts';
import { type ReviewCommand, reviewCommandOf } from './review-keys.ts';
import { type PictureView, TurnedPicture } from './turned-picture.tsx';

type Row = AdminRow<'real-auths'> & { version?: string };

interface Watched {
  readonly state: Row['state'];
  readonly decided_by: string | null;
  readonly reviewers: number;
  readonly others: readonly { readonly account_id: string; readonly name: string }[];
  readonly next: string | null;
  readonly waiting: number;
}

const WATCH_MS = 10_000;
const ZOOMS = [1, 1.5, 2, 3, 4] as const;
const WHOLE: PictureView = { zoom: 1, turns: 0 };
const RESULT = { approve: 1, reject: 2, take: 3 } as const satisfies Record<Answer, number>;
/** The notice after a decision: an approval that leaves it waiting is the first of two. */
const SAID = { pending: 'noted', manualReview: 'noted', approved: 'approved', rejected: 'rejected' } as const;
/** Decided by the adapter that checks names. */
const AUTOMATIC = 'automatic';

const FACTS = [
  'account_id',
  'type',
  'state',
  'name',
  'enterprise_name',
  'credit_code',
  'contact_name',
  'document',
  'id_card',
  'document_country',
  'document_number',
  'phone',
  'submitted_at',
  'first_approved_by',
  'first_approved_at',
  'first_reason',
  'decided_by',
  'decided_at',
  'reason',
] as const;
const PICTURES = ['license_picture', 'id_front_picture', 'id_back_picture', 'document_picture'] as const;

export function Review({ row, mayDecide }: { row: Row; mayDecide: boolean }) {
  const t = useAreaWords<typeof english>('audit');
  const words = useTableWords('real-auths');
  const data = useDataProvider<AdminData>();
  const navigate = useNavigate();
  const notify = useNotify();
  const refresh = useRefresh();
  const path = `real-auths/${encodeURIComponent(row.id)}`;
  const { data: watched, refetch } = useAsk<Watched>(`${path}/watch`, { everyMs: WATCH_MS });
  const [answering, setAnswering] = useState<Answer>();
  const [reason, setReason] = useState('');
  const [refusal, setRefusal] = useState<string>();
  const [isSending, setSending] = useState(false);
  const [view, setView] = useState(WHOLE);

  const language = useLanguage();
  const theirs = LANGUAGES.find((each) => each === row.account_locale) ?? 'en';
  // Why somebody is approved stays with the staff; why they are rejected is for them.
  const sentIn: Language = answering === 'reject' ? theirs : language;
  const reasons = answering ? reasonsFor(answering, language, sentIn) : [];
  const state = watched?.state ?? row.state;
  const isOpen = isWaiting(state);
  // One under manual review is not taken again.
  const isNew = state === 'pending';

  const begin = (what: Answer) => {
    if (!isOpen || !mayDecide || (what === 'take' && !isNew)) return;
    setAnswering(what);
    setRefusal(undefined);
    setReason(what === 'approve' ? (reasonsFor('approve', language, language)[0]?.sent ?? '') : '');
  };
  const goOn = async () => {
    const { data: now } = await refetch();
    if (now?.next) await navigate(`/${resourceOf('real-auths')}/${encodeURIComponent(now.next)}/show`);
    else {
      notify(t('queue.last'));
      await navigate(`/${resourceOf('real-auths')}`);
    }
  };
  const send = async () => {
    if (!answering || isSending) return;
    if (reason.trim() === '') return setRefusal(t('queue.reasonMissing'));
    setSending(true);
    setRefusal(undefined);
    try {
      const decided = await data.ask<Row>(path, {
        method: 'PUT',
        body: { result: RESULT[answering], reason: reason.trim(), ...(row.version && { version: row.version }) },
      });
      notify(t(`queue.${answering === 'take' ? 'taken' : SAID[decided.state]}`), { type: 'success' });
      await goOn();
    } catch (error) {
      const { message, body } = error as HttpError & { body?: { problem?: { error: string } } };
      const isStale = body?.problem?.error === 'edited_meanwhile';
      setRefusal(isStale ? t('queue.again') : message);
      void refetch();
      if (isStale) {
        setAnswering(undefined);
        refresh();
      }
    } finally {
      setSending(false);
    }
  };
  const zoomBy = (steps: number) => {
    const at = ZOOMS.indexOf(view.zoom as (typeof ZOOMS)[number]);
    const zoom = ZOOMS[Math.min(ZOOMS.length - 1, Math.max(0, at + steps))] ?? 1;
    setView({ ...view, zoom });
  };
  const turnBy = (turns: number) => setView({ ...view, turns: (view.turns + turns + 4) % 4 });

  const keys: Readonly<Record<Exclude<ReviewCommand['do'], 'reason'>, () => void>> = {
    approve: () => begin('approve'),
    reject: () => begin('reject'),
    take: () => begin('take'),
    send: () => void send(),
    back: () => setAnswering(undefined),
    next: () => void goOn(),
    zoomIn: () => zoomBy(1),
    zoomOut: () => zoomBy(-1),
    whole: () => setView(WHOLE),
    left: () => turnBy(-1),
    right: () => turnBy(1),
  };
  const run = (command: ReviewCommand) => {
    if (command.do === 'reason') {
      const found = reasons[command.number - 1];
      if (found) setReason(found.sent);
    } else keys[command.do]();
  };
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event;
    const isTyping = target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
    // A focused button or link is pressed by Enter itself, a reason of the list too.
    const isPressing =
      event.key === 'Enter' && target instanceof HTMLElement && target.closest('button, a, [role="button"]') !== null;
    const isElsewhere = target instanceof HTMLElement && target.closest('[role="dialog"]') !== null;
    // Safari ends a composition before the keydown that ended it, which it marks by this code alone.
    const isOfComposition = event.keyCode === 229;
    if (isPressing || isElsewhere || isOfComposition) return;
    const command = reviewCommandOf(event, { isAnswering: answering !== undefined, isTyping });
    if (!command) return;
    event.preventDefault();
    run(command);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);

  const pictures = PICTURES.flatMap((field) => (row[field] ? [[field, row[field]] as const] : []));
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Notes row={row} watched={watched} />
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          alignItems: 'start',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(300px, 2fr) minmax(0, 3fr)' },
        }}
      >
        <Card sx={{ p: 2 }}>
          <FactList name="real-auths" fields={FACTS.filter((field) => row[field] !== null && row[field] !== '')} />
        </Card>
        <Card sx={{ p: 2 }}>
          {pictures.length === 0 ? (
            <Typography color="text.secondary">{t('queue.noPictures')}</Typography>
          ) : (
            <>
              <PictureTools onZoom={zoomBy} onTurn={turnBy} onWhole={() => setView(WHOLE)} />
              <Box
                sx={{
                  display: 'grid',
                  gap: 1.5,
                  gridTemplateColumns: 'repeat(auto-fit, minmax(min(280px, 100%), 1fr))',
                }}
              >
                {pictures.map(([field, id]) => (
                  <TurnedPicture key={field} id={id} label={words.label(field)} view={view} />
                ))}
              </Box>
            </>
          )}
        </Card>
      </Box>
      {refusal !== undefined && answering === undefined && <Alert severity="warning">{refusal}</Alert>}
      <Card sx={{ p: 2, position: 'sticky', bottom: 8, zIndex: 1 }} elevation={4}>
        {answering ? (
          <Decision
            title={t(`queue.${answering}Title`, { name: row.name })}
            note={
              answering === 'reject' ? t('queue.reasonOf', { language: LANGUAGE_NAMES[theirs] }) : t('queue.reasonLog')
            }
            label={t(`queue.${answering}`)}
            isDangerous={answering === 'reject'}
            reasons={reasons}
            reason={reason}
            onReason={setReason}
            refusal={refusal}
            isSending={isSending}
            onSend={() => void send()}
            onBack={() => setAnswering(undefined)}
          />
        ) : (
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
            {isOpen && mayDecide && (
              <>
                <Button variant="contained" onClick={() => begin('approve')} aria-keyshortcuts="a">
                  {t('queue.approve')} (A)
                </Button>
                <Button variant="outlined" color="error" onClick={() => begin('reject')} aria-keyshortcuts="r">
                  {t('queue.reject')} (R)
                </Button>
                {isNew && (
                  <Button variant="outlined" onClick={() => begin('take')} aria-keyshortcuts="m">
                    {t('queue.take')} (M)
                  </Button>
                )}
              </>
            )}
            <Button onClick={() => void goOn()} aria-keyshortcuts="n">
              {t('queue.next')} (N)
            </Button>
            <Box sx={{ flex: 1 }} />
            {watched && <Chip size="small" label={t('queue.left', { smart_count: watched.waiting })} />}
            <Typography variant="body2" color="text.secondary" sx={{ width: '100%' }}>
              {t('queue.keys')}
            </Typography>
          </Box>
        )}
      </Card>
    </Box>
  );
}

/** The other reviewers who look at it, who has approved it, and who has decided meanwhile. */
function Notes({ row, watched }: { row: Row; watched: Watched | undefined }) {
  const t = useAreaWords<typeof english>('audit');
  const { state = row.state, others = [], decided_by = null, reviewers = 1 } = watched ?? {};
  const first = row.first_approved_by;
  const who = decided_by === AUTOMATIC || decided_by === null ? t('queue.automatic') : decided_by;
  return (
    <Box role="status" sx={{ display: 'grid', gap: 1 }}>
      {others.length > 0 && (
        <Alert severity="warning">{t('queue.opened', { names: others.map(({ name }) => name).join(', ') })}</Alert>
      )}
      {!isWaiting(state) && state !== row.state && <Alert severity="info">{t('queue.decided', { who })}</Alert>}
      {isWaiting(state) && first !== null && <Alert severity="info">{t('queue.second', { who: first })}</Alert>}
      {isWaiting(state) && first === null && reviewers === 2 && <Alert severity="info">{t('queue.twoNeeded')}</Alert>}
    </Box>
  );
}

const isWaiting = (state: Row['state']): boolean => state === 'pending' || state === 'manualReview';

interface DecisionProps {
  title: string;
  note: string;
  label: string;
  isDangerous: boolean;
  reasons: readonly { readonly shown: string; readonly sent: string }[];
  reason: string;
  onReason(reason: string): void;
  refusal: string | undefined;
  isSending: boolean;
  onSend(): void;
  onBack(): void;
}

function Decision(props: DecisionProps) {
  const { title, note, label, isDangerous, reasons, reason, onReason, refusal, isSending, onSend, onBack } = props;
  const t = useAreaWords<typeof english>('audit');
  const ui = useUiWords();
  return (
    <Box role="group" aria-label={title} sx={{ display: 'grid', gap: 1.5 }}>
      <Typography variant="h2">{title}</Typography>
      <List dense disablePadding aria-label={t('queue.pick')} sx={{ columns: { md: 2 } }}>
        {reasons.map(({ shown, sent }, at) => (
          <ListItemButton
            key={sent}
            selected={reason === sent}
            onClick={() => onReason(sent)}
            sx={{ breakInside: 'avoid', borderRadius: 1 }}
          >
            <Box component="kbd" sx={{ mr: 1.5, fontFamily: 'inherit', fontWeight: 700 }}>
              {at + 1}
            </Box>
            {shown}
          </ListItemButton>
        ))}
      </List>
      <TextField
        label={t('queue.reason')}
        value={reason}
        onChange={({ target }) => onReason(target.value)}
        helperText={refusal ?? note}
        error={refusal !== undefined}
        multiline
        maxRows={4}
        slotProps={{ htmlInput: { maxLength: 1000 } }}
      />
      <Box sx={{ display: 'flex', gap: 1 }}>
        <Button variant="contained" color={isDangerous ? 'error' : 'primary'} loading={isSending} onClick={onSend}>
          {label}: {t('queue.send')}
        </Button>
        <Button onClick={onBack} disabled={isSending}>
          {ui('actions.cancel')}
        </Button>
      </Box>
    </Box>
  );
}

interface ToolsProps {
  onZoom(steps: number): void;
  onTurn(turns: number): void;
  onWhole(): void;
}

function PictureTools({ onZoom, onTurn, onWhole }: ToolsProps) {
  const t = useAreaWords<typeof english>('audit');
  const tools = [
    [t('queue.zoomIn'), ZoomIn, () => onZoom(1)],
    [t('queue.zoomOut'), ZoomOut, () => onZoom(-1)],
    [t('queue.left90'), RotateLeft, () => onTurn(-1)],
    [t('queue.right90'), RotateRight, () => onTurn(1)],
  ] as const;
  return (
    <Box role="group" aria-label={t('queue.pictures')} sx={{ display: 'flex', gap: 0.5, mb: 1 }}>
      {tools.map(([label, Icon, onClick]) => (
        <Tooltip key={label} title={label}>
          <IconButton size="small" aria-label={label} onClick={onClick}>
            <Icon />
          </IconButton>
        </Tooltip>
      ))}
      <Button size="small" onClick={onWhole}>
        {t('queue.whole')}
      </Button>
    </Box>
  );
}
