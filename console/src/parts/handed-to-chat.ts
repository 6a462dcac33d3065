// What another page hands to the chat: a system prompt, for the next time that the chat opens in this tab.
import { keepInTab, keptInTab } from './kept-in-tab.ts';

const KEY = 'handed-to-chat';

export const handToChat = (system: string): void => keepInTab(KEY, { system });

export const handedToChat = (): string => keptInTab<{ system: string }>(KEY)?.system ?? '';

/** A reload has the conversation itself. */
export const forgetHanded = (): void => sessionStorage.removeItem(KEY);
