// The messages of a conversation, each answer with its speed and its cost.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { rateText } from '@gantry/ui/format/money.ts';
import { Markdown } from '@gantry/ui/widgets/markdown.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
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
        <Message key={at} message={message} model={model} />
      ))}
      {isAsking && <LinearProgress aria-label={isWaiting ? t('starting') : t('title')} />}
      {isWaiting && <Typography color="text.secondary">{t('starting')}</Typography>}
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

function Message({ message, model }: { message: Said; model: string }) {
  const t = useChatWords();
  const { role, content, images = [] } = message;
  return (
    <Paper variant="outlined" sx={{ p: 2, ...(role === 'user' && { bgcolor: 'action.hover' }) }}>
      <Typography variant="subtitle2" component="p" color="text.secondary">
        {role === 'user' ? t('you') : model}
      </Typography>
      {role === 'user' ? (
        <Typography sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{content}</Typography>
      ) : (
        <Markdown text={content} isMessage />
      )}
      <Pictures urls={images} />
      <AnswerStatistics message={message} />
    </Paper>
  );
}

function AnswerStatistics({ message: { completion_tokens: tokens, ms, request_id: id } }: { message: Said }) {
  const t = useChatWords();
  if (tokens === null || ms === null || ms === 0) return null;
  const rate = ((1000 * tokens) / ms).toFixed(1);
  return (
    <Typography variant="caption" color="text.secondary" component="p">
      {t('speed', { tokens: `${tokens}`, seconds: (ms / 1000).toFixed(1), rate })}
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
