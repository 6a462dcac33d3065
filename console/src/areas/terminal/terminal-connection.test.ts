// The protocol of a terminal, against a socket that a test holds the other end of.
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { type ShellState, TerminalConnection, type TerminalSocket } from './terminal-connection.ts';

const MIB = 1024 * 1024;

class FakeSocket extends EventTarget {
  binaryType = 'blob';
  readyState = 0;
  isClosed = false;
  readonly sent: (string | Uint8Array)[] = [];
  send(data: string | Uint8Array): void {
    this.sent.push(data);
  }
  close(): void {
    this.isClosed = true;
  }
  open(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event('open'));
  }
  say(data: string | ArrayBuffer): void {
    this.dispatchEvent(new MessageEvent('message', { data }));
  }
  status(status: object): void {
    this.say(JSON.stringify({ type: 'status', message: '', ...status }));
  }
  break(): void {
    this.readyState = 3;
    this.dispatchEvent(new Event('close'));
  }
  get requests(): unknown[] {
    return this.sent.filter((each) => typeof each === 'string').map((each) => JSON.parse(each));
  }
  get typed(): Uint8Array[] {
    return this.sent.filter((each) => typeof each !== 'string');
  }
}

function connected({ isOpen = true } = {}) {
  const socket = new FakeSocket();
  const states: ShellState[] = [];
  const shown: Uint8Array[] = [];
  const undrawn: (() => void)[] = [];
  const connection = new TerminalConnection(socket as unknown as TerminalSocket, {
    onState: (state) => states.push(state),
    onBytes(bytes, drawn) {
      shown.push(bytes);
      undrawn.push(drawn);
    },
  });
  if (isOpen) socket.open();
  return { socket, connection, states, shown, undrawn };
}

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('text is typed as UTF-8, and reports of a mouse byte for byte', () => {
  const { socket, connection } = connected();
  connection.type('日é');
  connection.typeBytes('\x1b[M\xff');
  expect(socket.typed.map((bytes) => [...bytes])).toEqual([
    [0xe6, 0x97, 0xa5, 0xc3, 0xa9],
    [0x1b, 0x5b, 0x4d, 0xff],
  ]);
});

test('a large paste goes in frames of 64 KiB, none of it lost', () => {
  const { socket, connection } = connected();
  connection.type('x'.repeat(150_000));
  expect(socket.typed.map(({ length }) => length)).toEqual([65_536, 65_536, 18_928]);
});

test('input without a connection is dropped', () => {
  const { socket, connection } = connected({ isOpen: false });
  connection.type('rm -rf /');
  socket.open();
  expect(socket.typed).toEqual([]);
});

test('bytes are shown as they came, also those that are no text', () => {
  const { socket, shown } = connected();
  expect(socket.binaryType).toBe('arraybuffer');
  socket.say(new Uint8Array([0, 0xff, 0xe6]).buffer);
  expect(shown.map((bytes) => [...bytes])).toEqual([[0, 0xff, 0xe6]]);
});

test('the size that was known before the socket was open is told when it is', () => {
  const { socket, connection } = connected({ isOpen: false });
  connection.resize({ cols: 120, rows: 40 });
  expect(socket.sent).toEqual([]);
  socket.open();
  expect(socket.requests).toEqual([{ type: 'resize', cols: 120, rows: 40 }]);
});

test('the first and the last of many sizes are sent, and an unchanged size is not', () => {
  const { socket, connection } = connected();
  for (let cols = 80; cols <= 100; cols++) connection.resize({ cols, rows: 24 });
  jest.runAllTimers();
  connection.resize({ cols: 100, rows: 24 });
  jest.runAllTimers();
  expect(socket.requests).toEqual([
    { type: 'resize', cols: 80, rows: 24 },
    { type: 'resize', cols: 100, rows: 24 },
  ]);
});

test('no size is told that the server would take for misuse', () => {
  const { socket, connection } = connected();
  connection.resize({ cols: 4000, rows: 0 });
  expect(socket.requests).toEqual([{ type: 'resize', cols: 1000, rows: 1 }]);
});

test('more than can be drawn holds the shell back, until most of it is drawn', () => {
  const { socket, undrawn } = connected();
  for (let count = 0; count < 6; count++) socket.say(new ArrayBuffer(MIB / 4));
  expect(socket.requests).toEqual([{ type: 'pause' }]);
  for (const drawn of undrawn.slice(0, 4)) drawn();
  expect(socket.requests).toHaveLength(1);
  undrawn[4]?.();
  expect(socket.requests).toEqual([{ type: 'pause' }, { type: 'resume' }]);
});

test.each<[string, (socket: FakeSocket) => void, ShellState[]]>([
  [
    'a shell that ended tells its exit code, and the socket that closes then adds nothing',
    (socket) => {
      socket.status({ status: 'connected' });
      socket.status({ status: 'closed', reason: 'exited', detail: 'The shell ended.', exit_code: 3 });
      socket.break();
    },
    [{ status: 'connected' }, { status: 'closed', reason: 'exited', detail: 'The shell ended.', exitCode: 3 }],
  ],
  [
    'a container that cannot be reached has failed',
    (socket) => socket.status({ status: 'failed', reason: 'unreachable', detail: 'It cannot.' }),
    [{ status: 'failed', reason: 'unreachable', detail: 'It cannot.' }],
  ],
  ['a socket that is refused at the door has failed', (socket) => socket.break(), [{ status: 'failed' }]],
  [
    'a network that is lost closes what was connected',
    (socket) => {
      socket.status({ status: 'connected' });
      socket.break();
    },
    [{ status: 'connected' }, { status: 'closed' }],
  ],
  [
    'words that nobody knows change nothing',
    (socket) => {
      socket.say('hello');
      socket.say('{"type":"bell"}');
    },
    [],
  ],
])('%s', (_, happens, states) => {
  const seen = connected();
  happens(seen.socket);
  expect(seen.states).toEqual(states);
});

test('what is shown again is not answered, and what comes after it is', () => {
  const { socket, connection, shown, undrawn, states } = connected();
  socket.status({ status: 'connected', session: 'trm-1', shown_before: 3 });
  socket.say(new Uint8Array([1, 2]).buffer);
  socket.say(new Uint8Array([3, 4]).buffer);
  expect(shown.map((bytes) => [...bytes])).toEqual([[1, 2], [3], [4]]);
  expect(states).toEqual([{ status: 'connected', session: 'trm-1', shownBefore: 3 }]);
  connection.type('answer');
  connection.typeBytes('answer');
  undrawn[0]?.();
  connection.type('answer');
  expect(socket.typed).toEqual([]);
  undrawn[1]?.();
  connection.type('k');
  expect(socket.typed.map((bytes) => [...bytes])).toEqual([[107]]);
});

test('a page that has closed it hears no more of it', () => {
  const { socket, connection, states, shown } = connected();
  connection.close();
  socket.status({ status: 'closed', reason: 'left' });
  socket.say(new ArrayBuffer(8));
  socket.break();
  expect(socket.isClosed).toBe(true);
  expect([states, shown]).toEqual([[], []]);
});
