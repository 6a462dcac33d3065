// How the rows of a dataset read best: by its type, where its columns are named as such data usually are.
import type { DatasetType } from '@gantry/contract/areas/datasets/dataset-facets.ts';

export type OwnView =
  | { readonly kind: 'qa'; readonly question: string; readonly answer: string }
  /** Turns of a conversation, each with a role. */
  | { readonly kind: 'turns'; readonly turns: string }
  | { readonly kind: 'prompt'; readonly text: string }
  | { readonly kind: 'document'; readonly text: string };

interface Column {
  readonly name: string;
  readonly type: string;
}

const QUESTION = ['question', 'instruction', 'prompt', 'query', 'input', 'q', '问题', '質問'];
const ANSWER = ['answer', 'response', 'output', 'completion', 'reply', 'a', '答案', '回答'];
const TURNS = ['messages', 'conversations', 'conversation', 'turns'];
const PROMPT = ['prompt', 'template', 'text', 'content', 'instruction', '提示词', 'プロンプト'];
const DOCUMENT = ['text', 'content', 'document', 'body', 'markdown', '正文', '本文'];

const COLUMNS_OF_DOCUMENTS = 'file kind page text';

/** How rows of documents read, whatever the type of their dataset; undefined for other rows. */
export const documentViewOf = (columns: readonly Column[]): OwnView | undefined =>
  columns.map(({ name }) => name).join(' ') === COLUMNS_OF_DOCUMENTS ? { kind: 'document', text: 'text' } : undefined;

/** Undefined where a table shows them best. */
export function ownViewOf(type: DatasetType, columns: readonly Column[]): OwnView | undefined {
  // The first of the names, whatever its case, that there is.
  const named = (names: readonly string[]) =>
    names.flatMap((name) => columns.filter((column) => column.name.toLowerCase() === name))[0]?.name;
  const text = (names: readonly string[]) => named(names) ?? columns.find((column) => column.type === 'VARCHAR')?.name;
  const of = <Kind extends 'prompt' | 'document'>(kind: Kind, column: string | undefined) =>
    column === undefined ? undefined : { kind, text: column };
  switch (type) {
    case 'file':
      return undefined;
    case 'prompt':
      return of('prompt', text(PROMPT));
    case 'rag':
      return of('document', text(DOCUMENT));
    case 'qa': {
      const [question, answer, turns] = [named(QUESTION), named(ANSWER), named(TURNS)];
      if (question !== undefined && answer !== undefined) return { kind: 'qa', question, answer };
      return turns === undefined ? undefined : { kind: 'turns', turns };
    }
  }
}

export interface Turn {
  readonly role: string;
  readonly text: string;
}

/** Undefined where it is no conversation. */
export function turnsIn(value: unknown): readonly Turn[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const turns = value.map((each): Turn | undefined => {
    if (typeof each !== 'object' || each === null) return undefined;
    // As OpenAI's files have them, and ShareGPT's.
    const { role, from, content, value: said } = each as Readonly<Record<string, unknown>>;
    const text = content ?? said;
    return { role: String(role ?? from ?? ''), text: typeof text === 'string' ? text : JSON.stringify(text ?? '') };
  });
  return turns.every((turn) => turn !== undefined) ? turns : undefined;
}

export interface Piece {
  readonly text: string;
  readonly isVariable: boolean;
}

/** `{{ name }}`, `${name}`, `%{name}` and `{name}`. */
const VARIABLE = /(\{\{[^{}\n]{1,100}\}\}|[$%]?\{[\p{L}_][\p{L}\p{N}_.-]{0,63}\})/u;

/** A prompt, with what is filled in later apart from its text. */
export const piecesOf = (text: string): readonly Piece[] =>
  text
    .split(VARIABLE)
    .map((piece, at) => ({ text: piece, isVariable: at % 2 === 1 }))
    .filter((piece) => piece.text !== '');

/** Parts of a text that fit a screen; each ends with a line, as far as one ends in its second half. */
export function partsOf(text: string, most: number): readonly string[] {
  const parts: string[] = [];
  for (let from = 0; from < text.length; ) {
    const end = from + most;
    const line = end >= text.length ? -1 : text.lastIndexOf('\n', end - 1);
    const to = line >= from + most / 2 ? line + 1 : end;
    parts.push(text.slice(from, to));
    from = to;
  }
  return parts.length === 0 ? [''] : parts;
}
