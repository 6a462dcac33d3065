// A conversation under way: asks, hears, stops, asks again, branches, and keeps what was said. With a knowledge base, each question goes
// with passages of it, and the answer names those that it cites.

import type { ChatMessage, ChatView } from '@gantry/contract/areas/inference/chats.ts';
import type { KnowledgePassage } from '@gantry/contract/areas/inference/model-calls.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { askModel, type Content, type Prompt, type ToolCall } from '../../parts/ask-model.ts';
import { citedIn, groundedQuestion, INSTRUCTIONS } from '../../parts/knowledge/grounded-prompt.ts';
import { searchKnowledge } from '../../parts/knowledge/search-knowledge.ts';
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
const MOST_QUESTION_LETTERS = 4000;

class NothingFound extends Error {}

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

/** Passages that a model is given: more take more of its context than they add. */
const GIVEN = 6;

/** The last question stands beside its passages; those before are without theirs. */
function grounded(prompt: Prompt, passages: readonly KnowledgePassage[]): Prompt {
  const last = prompt.messages.at(-1);
  if (passages.length === 0 || typeof last?.content !== 'string') return prompt;
  const [first, ...rest] = prompt.messages.slice(0, -1);
  const told = first?.role === 'system' ? `${first.content}\n\n${INSTRUCTIONS}` : INSTRUCTIONS;
  const before = first === undefined || first.role === 'system' ? rest : [first, ...rest];
  const question = groundedQuestion(last.content, passages);
  return { ...prompt, messages: [{ role: 'system', content: told }, ...before, { role: 'user', content: question }] };
}

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

interface Asking {
  parameters: Parameters;
  tools?: readonly unknown[] | undefined;
  /** The id of a dataset that is a knowledge base; empty: none. */
  base: string;
  /** The system prompt that it begins with. */
  system?: string;
}

export function useConversation({ parameters, tools, base, system = '' }: Asking) {
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

  /** Of the base, for the last question. Throws NothingFound with what there is to say. */
  const passagesFor = async ({ messages }: Conversation, signal: AbortSignal): Promise<readonly KnowledgePassage[]> => {
    const query = messages.at(-1)?.content.trim().slice(0, MOST_QUESTION_LETTERS) ?? '';
    if (base === '' || query === '') return [];
    const asking = { headers: api.headers(), signal, waits: () => setWaiting(true) };
    const found = await searchKnowledge({ dataset: base, query, k: GIVEN }, asking);
    setWaiting(false);
    if (!('passages' in found)) throw new NothingFound(found.message ?? t('unanswered'));
    if (found.passages.length === 0) throw new NothingFound(t('base.none'));
    return found.passages;
  };

  /** With the passages that it cites, so that they are kept with it. */
  const withSources = (content: string, passages: readonly KnowledgePassage[]): string => {
    const lines = citedIn(content, passages.length).map((at) => {
      const { file, page } = passages[at]?.citation ?? {};
      const place = page ? t('base.page', { file: `${file}`, page: `${page}` }) : `${file ?? ''}`;
      return `- [${at + 1}] ${place.replace(/[\\`*_[\]<>#|]/g, '\\$&')}`;
    });
    return lines.length === 0 ? content : `${content}\n\n**${t('base.sources')}**\n\n${lines.join('\n')}`;
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
      const passages = await passagesFor(asked, stop.signal);
      const answered = await askModel(
        grounded(promptOf(asked, parameters, tools), passages),
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
        content: withSources(
          `${now.messages.at(-1)?.content ?? ''}${answered.toolCalls.map(callText).join('')}`.trimStart(),
          passages,
        ),
        request_id: answered.requestId,
        completion_tokens: answered.completionTokens,
        ms: Math.round(performance.now() - begun),
      });
      if (answered.failure !== null) setFailure(t('failed', { message: answered.failure }));
    } catch (error) {
      const unfound = error instanceof NothingFound ? error.message : t('unanswered');
      setFailure(stop.signal.aborted ? t('stopped') : unfound);
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
    /** Asks again from a question of before, in other words. What came after it goes. */
    edit: (at: number, text: string) => {
      const { messages } = conversation;
      const edited = said('user', text, messages[at]?.images);
      void answer({ ...conversation, messages: [...messages.slice(0, at), edited] });
    },
    /** A conversation of its own, with what was said up to here; the one before stays as it is. */
    branch: async (at: number) => {
      const branched = { ...conversation, id: null, messages: conversation.messages.slice(0, at + 1) };
      const kept = await keep(branched).catch(() => undefined);
      setFailure(kept ? undefined : t('unkept'));
      setConversation(kept ?? branched);
    },
    stop: () => stopping.current?.abort(),
  };
}
