// A conversation under way: asks, hears, stops, asks again, and keeps what was said.

import type { ChatMessage, ChatView } from '@gantry/contract/areas/inference/chats.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { askModel, type Content, type Prompt, type ToolCall } from '../../parts/ask-model.ts';
import { keepPictures, type WithPictures } from './kept-pictures.ts';
import { useChatWords } from './use-chat-words.ts';

export interface Parameters {
  temperature?: number | undefined;
  top_p?: number | undefined;
  max_tokens?: number | undefined;
}

/** A message. Its pictures go to the model as they are, and are kept smaller. */
export interface Said extends Omit<ChatMessage, 'images'>, WithPictures {}

export interface Conversation {
  /** Null until it is kept. */
  id: string | null;
  model: string;
  system: string;
  messages: readonly Said[];
}

const MOST_TITLE_LETTERS = 60;
export const emptyConversation = (model: string): Conversation => ({ id: null, model, system: '', messages: [] });

export const promptOf = (
  { model, system, messages }: Conversation,
  parameters: Parameters,
  tools?: readonly unknown[],
): Prompt => ({
  model,
  messages: [
    ...(system.trim() === '' ? [] : [{ role: 'system' as const, content: system }]),
    ...messages.map((message) => ({ role: message.role, content: contentOf(message) })),
  ],
  ...parameters,
  ...(tools && { tools }),
});

const contentOf = ({ content, images = [] }: Said): Content =>
  images.length === 0
    ? content
    : [{ type: 'text', text: content }, ...images.map((url) => ({ type: 'image_url' as const, image_url: { url } }))];

const said = (role: ChatMessage['role'], content: string, images?: readonly string[]): Said => ({
  ...{ role, content, request_id: null, completion_tokens: null, ms: null },
  ...(images !== undefined && images.length > 0 && { images }),
});

/** Controls and turned text, which nothing keeps: models write what they like. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNKEPT = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

const keptOf = (message: Said): Said => ({
  ...message,
  content: message.content.toWellFormed().replace(UNKEPT, '\ufffd'),
});

/** In the conversation they stand as the model wrote them: nobody calls anything. */
const callText = ({ name, arguments: given }: ToolCall): string =>
  `\n\n\`\`\`json\n${JSON.stringify({ call: name, arguments: parsedOr(given) }, null, 2)}\n\`\`\``;

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** `system`: the system prompt that it begins with. */
export function useConversation(parameters: Parameters, tools?: readonly unknown[], system = '') {
  const api = useApi();
  const client = useQueryClient();
  const t = useChatWords();
  const [conversation, setConversation] = useState<Conversation>(() => ({ ...emptyConversation(''), system }));
  const [isAsking, setAsking] = useState(false);
  const [isWaiting, setWaiting] = useState(false);
  const [failure, setFailure] = useState<string>();
  const stopping = useRef<AbortController>(undefined);
  useEffect(() => () => stopping.current?.abort(), []);

  const keep = async (now: Conversation): Promise<Conversation> => {
    const title =
      (now.messages[0]?.content ?? '').replace(/\s+/g, ' ').trim().slice(0, MOST_TITLE_LETTERS) || now.model;
    const body = {
      title,
      model: now.model,
      system: now.system,
      messages: await keepPictures(now.messages.map(keptOf)),
    };
    const kept: ChatView =
      now.id === null
        ? await api.call(CALLS.createChat, { body })
        : await api.call(CALLS.editChat, { params: { id: now.id }, body });
    await client.invalidateQueries({ queryKey: [CALLS.listChats.id] });
    return { ...now, id: kept.id };
  };

  /** Answers the last message, which is a person's. */
  const answer = async (asked: Conversation): Promise<void> => {
    const stop = new AbortController();
    stopping.current = stop;
    const begun = performance.now();
    let now: Conversation = { ...asked, messages: [...asked.messages, said('assistant', '')] };
    const change = (over: Partial<Said>) => {
      const last = now.messages.at(-1) ?? said('assistant', '');
      now = { ...now, messages: [...now.messages.slice(0, -1), { ...last, ...over }] };
      setConversation(now);
    };
    setConversation(now);
    setAsking(true);
    setFailure(undefined);
    try {
      const answered = await askModel(
        promptOf(asked, parameters, tools),
        { headers: api.headers(), signal: stop.signal },
        {
          said: (text) => {
            setWaiting(false);
            change({ content: `${now.messages.at(-1)?.content ?? ''}${text}` });
          },
          waits: () => setWaiting(true),
        },
      );
      change({
        content: `${now.messages.at(-1)?.content ?? ''}${answered.toolCalls.map(callText).join('')}`.trimStart(),
        request_id: answered.requestId,
        completion_tokens: answered.completionTokens,
        ms: Math.round(performance.now() - begun),
      });
      if (answered.failure !== null) setFailure(t('failed', { message: answered.failure }));
    } catch {
      setFailure(stop.signal.aborted ? t('stopped') : t('unanswered'));
    }
    setWaiting(false);
    setAsking(false);
    // Without a word of the model there is nothing new to keep.
    if (now.messages.at(-1)?.content === '') return setConversation(asked);
    const kept = await keep(now).catch(() => undefined);
    if (!kept) setFailure(t('unkept'));
    setConversation(kept ?? now);
  };

  return {
    conversation,
    isAsking,
    isWaiting,
    failure,
    change: (over: Partial<Conversation>) => setConversation((before) => ({ ...before, ...over })),
    open: (kept: Conversation) => {
      stopping.current?.abort();
      setFailure(undefined);
      setConversation(kept);
    },
    /** `model`: the one that is chosen, where the conversation has none yet. */
    send: (text: string, model: string, images: readonly string[] = []) =>
      answer({ ...conversation, model, messages: [...conversation.messages, said('user', text, images)] }),
    regenerate: () => {
      const { messages } = conversation;
      const last = messages.findLastIndex(({ role }) => role === 'user');
      if (last >= 0) void answer({ ...conversation, messages: messages.slice(0, last + 1) });
    },
    stop: () => stopping.current?.abort(),
  };
}
