// An engine that streams: a piece at a time, as if it computed. Writes its port. It answers what routers ask of an engine, too.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FIRST_MS, NEXT_MS, PIECES } from './stream-facts.ts';

const HEAD = { id: 'cmpl-1', object: 'chat.completion.chunk', created: 1, model: 'tiny' };
const event = (more: object) => `data: ${JSON.stringify({ ...HEAD, ...more })}\n\n`;
const piece = event({ choices: [{ index: 0, delta: { content: ' word' }, finish_reason: null }] });
const last = event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
const usage = event({ choices: [], usage: { prompt_tokens: 9, completion_tokens: PIECES, total_tokens: 9 + PIECES } });

const server = createServer((req, res) => {
  if (req.method === 'GET') {
    res.setHeader('content-type', 'application/json');
    return void res.end('{"object":"list","data":[{"id":"tiny","object":"model"}],"model_path":"tiny"}');
  }
  req.resume().once('end', () => {
    let sent = 0;
    const next = () => {
      if (sent === 0) res.writeHead(200, { 'content-type': 'text/event-stream' });
      if (sent++ < PIECES) {
        res.write(piece);
        setTimeout(next, NEXT_MS);
      } else res.end(`${last}${usage}data: [DONE]\n\n`);
    };
    setTimeout(next, FIRST_MS);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
