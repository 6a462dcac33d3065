// One process that listens for many, as cheaply as it can be done: it counts what ends an event and looks at nothing else.
import { connect, type Socket } from 'node:net';
import { WebSocket } from 'ws';

export interface Listening {
  readonly protocol: 'sse' | 'socket.io';
  readonly port: number;
  readonly count: number;
}

const AT_ONCE = 50;
/** The end of an event's data; a heartbeat has none. */
const END = Buffer.from('}\n\n');

const heardNow = { sse: 0, 'socket.io': 0 };
const sockets: (Socket | WebSocket)[] = [];

function endsIn(bytes: Buffer): number {
  let ends = 0;
  for (let at = bytes.indexOf(END); at !== -1; at = bytes.indexOf(END, at + END.length)) ends++;
  return ends;
}

/** Resolves once the first page has come. */
function listenBySse(port: number, token: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(
        `GET /api/account/v1/messages?cursor=0&watch=gpuinstances HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`,
      );
    });
    sockets.push(socket);
    // The last two bytes that came: an end may be cut in two.
    let tail: Buffer = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      const ends = endsIn(Buffer.concat([tail, chunk.subarray(0, END.length - 1)])) - endsIn(tail) + endsIn(chunk);
      tail = Buffer.concat([tail, chunk.subarray(1 - END.length)]).subarray(1 - END.length);
      heardNow.sse += ends;
      if (ends > 0) resolve();
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('closed')));
  });
}

/** Resolves once it is in its namespace. */
function listenBySocketIo(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`, {
      perMessageDeflate: false,
    });
    sockets.push(socket);
    socket.on('message', (data: Buffer) => {
      const [type, kind] = [data[0], data[1]];
      if (type === 0x30) socket.send('40');
      else if (type === 0x32) socket.send('3');
      else if (kind === 0x30) resolve();
      else heardNow['socket.io']++;
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('closed')));
  });
}

async function listen({ protocol, port, count }: Listening): Promise<void> {
  for (let from = 0; from < count; from += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, at) =>
        protocol === 'sse' ? listenBySse(port, from + at) : listenBySocketIo(port),
      ),
    );
}

if (process.send) {
  process.on('message', (order: Listening | { reset: true } | { protocol: Listening['protocol']; awaits: number }) => {
    if ('reset' in order) {
      heardNow.sse = 0;
      heardNow['socket.io'] = 0;
      process.send?.({ isReset: true });
    } else if ('count' in order) {
      void listen(order).then(
        () => process.send?.({ isListening: true }),
        (error: Error) => process.send?.({ failed: error.message }),
      );
    } else {
      const timer = setInterval(() => {
        const heard = heardNow[order.protocol];
        if (heard < order.awaits) return;
        clearInterval(timer);
        process.send?.({ heard });
      }, 5);
    }
  });
  process.once('disconnect', () => process.exit());
}
