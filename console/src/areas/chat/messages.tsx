// The messages of a conversation, each answer with its speed and its cost. A question can be asked in other words, and a conversation
// go on from any message in one of its own.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { rateText } from '@gantry/ui/format/money.ts';
import { numberText } from '@gantry/ui/format/number.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { Markdown } from '@gantry/ui/widgets/markdown.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Paper from '@mui/material/Paper';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useModelLabel } from '../../parts/use-model-names.ts';
import { Pictures } from './pictures.tsx';
import { useChatWords } from './use-chat-words.ts';
import type { Said, useConversation } from './use-conversation.ts';

export function Messages({ chat }: { chat: ReturnType<typeof useConversation> }) {
  const t = useChatWords();
  const { conversation, isAsking, isWaiting, failure } = chat;
  const { messages } = conversation;
  const model = useModelLabel()(conversation.model);
  return (
    <Box
      sx={{ display: 'grid', gap: 2, alignContent: 'start', minWidth: 0 }}
      role="log"
      aria-label={model === '' ? t('title') : model}
      aria-busy={isAsking}
    >
      {messages.map((message, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what was said keeps its place
        <Message key={at} message={message} model={model} isBusy={isAsking} {...waysOn(chat, at)} />
      ))}
      {isAsking && <LinearProgress aria-label={isWaiting ? t('starting') : t('title')} />}
      {isWaiting && <Typography color="text.secondary">{t('starting')}</Typography>}
      <End isAsking={isAsking} length={messages.reduce((sum, { content }) => sum + content.length, 0)} />
      {failure !== undefined && <Alert severity="warning">{failure}</Alert>}
      {!isAsking && messages.length > 0 && (
        <Box>
          <Button size="small" onClick={chat.regenerate}>
            {t('regenerate')}
          </Button>
        </Box>
      )}
    </Box>
  );
}

type Chat = ReturnType<typeof useConversation>;

const waysOn = (chat: Chat, at: number) => ({
  onEdit: (text: string) => chat.edit(at, text),
  onBranch: () => void chat.branch(at),
});

/** Stays in view while an answer grows. */
function End({ isAsking, length }: { isAsking: boolean; length: number }) {
  const end = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever there is more of it
  useEffect(() => {
    if (isAsking) end.current?.scrollIntoView?.({ block: 'nearest' });
  }, [isAsking, length]);
  // The message's field covers the foot of the page.
  return <div ref={end} style={{ scrollMarginBottom: '9rem' }} />;
}

interface MessageProps {
  message: Said;
  model: string;
  isBusy: boolean;
  onEdit: (text: string) => void;
  onBranch: () => void;
}

function Message({ message, model, isBusy, onEdit, onBranch }: MessageProps) {
  const t = useChatWords();
  const [edited, setEdited] = useState<string>();
  const { role, content, images = [] } = message;
  const isOwn = role === 'user';
  return (
    <Paper variant="outlined" sx={{ p: 2, ...(isOwn && { bgcolor: 'action.hover' }) }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
        <Typography variant="subtitle2" component="p" color="text.secondary" sx={{ flex: 1 }}>
          {isOwn ? t('you') : model}
        </Typography>
        {isOwn && (
          <Button size="small" disabled={isBusy} onClick={() => setEdited(content)}>
            {t('edit')}
          </Button>
        )}
        {content !== '' && (
          <Button size="small" disabled={isBusy} onClick={onBranch}>
            {t('branch')}
          </Button>
        )}
      </Box>
      {edited !== undefined && (
        <EditedQuestion
          text={edited}
          onText={setEdited}
          onCancel={() => setEdited(undefined)}
          onSend={() => {
            setEdited(undefined);
            onEdit(edited);
          }}
        />
      )}
      {edited === undefined &&
        (isOwn ? (
          <Typography sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{content}</Typography>
        ) : (
          <Markdown text={content} isMessage />
        ))}
      <Pictures urls={images} />
      <AnswerStatistics message={message} />
    </Paper>
  );
}

interface EditedQuestionProps {
  text: string;
  onText: (text: string) => void;
  onCancel: () => void;
  onSend: () => void;
}

function EditedQuestion({ text, onText, onCancel, onSend }: EditedQuestionProps) {
  const t = useChatWords();
  const ui = useUiWords();
  return (
    <Box sx={{ display: 'grid', gap: 1, mt: 1 }}>
      <TextField
        label={t('edited')}
        helperText={t('editedHelp')}
        value={text}
        multiline
        autoFocus
        maxRows={10}
        onChange={({ target }) => onText(target.value)}
        onKeyDown={(event) => event.key === 'Escape' && onCancel()}
      />
      <Box sx={{ display: 'flex', gap: 1 }}>
        <Button variant="contained" disabled={text.trim() === ''} onClick={onSend}>
          {t('send')}
        </Button>
        <Button onClick={onCancel}>{ui('actions.cancel')}</Button>
      </Box>
    </Box>
  );
}

function AnswerStatistics({ message: { completion_tokens: tokens, ms, request_id: id } }: { message: Said }) {
  const t = useChatWords();
  if (tokens === null || ms === null || ms === 0) return null;
  const rate = ((1000 * tokens) / ms).toFixed(1);
  return (
    <Typography variant="caption" color="text.secondary" component="p">
      {t('speed', { tokens: numberText(tokens), seconds: (ms / 1000).toFixed(1), rate })}
      {id !== null && <Cost id={id} />}
    </Typography>
  );
}

const COST_TRIES = 5;

/** It is known a moment after the answer, and for some weeks. */
function Cost({ id }: { id: string }) {
  const t = useChatWords();
  const api = useApi();
  const { data } = useQuery({
    queryKey: [CALLS.getModelRequest.id, id],
    queryFn: ({ signal }) => api.call(CALLS.getModelRequest, { params: { id } }, { signal }),
    retry: COST_TRIES,
    retryDelay: 500,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!data) return null;
  return <> · {Number(data.amount) === 0 ? t('free') : t('cost', { amount: rateText(data.amount, data.currency) })}</>;
}
