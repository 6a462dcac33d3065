// An engine that keeps the books of what it has sent: a line for each piece, before anything else happens. Arguments: its address, its
// port, its file. SIGUSR2 kills it between two pieces, so that its file and its connections agree. Writes `ready`.
import { openSync, writeSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Asked, PROMPT_TOKENS } from './counted-facts.ts';

const [ip = '', port = '', file = ''] = process.argv.slice(2);
const books = openSync(file, 'a');
const sent = (number: number, tokens: number) => writeSync(books, `${number} ${tokens}\n`);

const NEXT_MS = 5;
const HEAD = { id: 'cmpl-1', created: 1, model: 'tiny' };
const event = (more: object) => `data: ${JSON.stringify({ ...HEAD, object: 'chat.completion.chunk', ...more })}\n\n`;
const piece = event({ choices: [{ index: 0, delta: { content: ' word' }, finish_reason: null }] });
const usageOf = (tokens: number) => ({
  prompt_tokens: PROMPT_TOKENS,
  completion_tokens: tokens,
  total_tokens: PROMPT_TOKENS + tokens,
});

function whole(res: ServerResponse, { number, tokens }: Asked): void {
  const message = { role: 'assistant', content: ' word'.repeat(tokens) };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  const body = JSON.stringify({ ...HEAD, object: 'chat.completion', choices, usage: usageOf(tokens) });
  res.writeHead(200, { 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(body)}` });
  res.end(body);
  sent(number, tokens);
}

function streamed(res: ServerResponse, { number, tokens, leavesAfter }: Asked): void {
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  let written = 0;
  const next = () => {
    if (res.destroyed) return;
    if (written === tokens) {
      res.write(event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
      return void res.end(`${event({ choices: [], usage: usageOf(tokens) })}data: [DONE]\n\n`);
    }
    res.write(piece);
    sent(number, 1);
    // Whoever is about to leave gets no more until it has left: nothing is on its way then.
    if (++written !== leavesAfter) setTimeout(next, NEXT_MS);
  };
  next();
}

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const body = JSON.parse(await text(req));
  const asked: Asked = JSON.parse(body.messages[0].content);
  if (body.stream) streamed(res, asked);
  else whole(res, asked);
}

process.on('SIGUSR2', () => process.kill(process.pid, 'SIGKILL'));
const server = createServer((req, res) => void answer(req, res).catch(() => res.destroy()));
server.keepAliveTimeout = 60_000;
server.listen(Number(port), ip, () => console.log('ready'));
