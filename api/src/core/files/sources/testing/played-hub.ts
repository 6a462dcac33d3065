// A hub at the wire: lists, bytes that break off or are others than it says, and conditions that a token accepts.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

export interface PlayedHub {
  url: string;
  server: Server;
  /** The ranges of requests that did not ask for the beginning. */
  ranges: string[];
  /** Paths of the files that were asked for. */
  asked: string[];
  /** The first answer with content ends after so many bytes. */
  breaksAfter: number | undefined;
  /** It answers nothing more than that either. */
  isStuck: boolean;
  serve(repository: string, files: Record<string, Buffer>, more?: HubFault): void;
  reset(): void;
}
interface HubFault {
  token?: string;
  wrongHash?: boolean;
  /** How many bytes come, whatever the list says. */
  sends?: number;
}

/** Answers as huggingface.co does, for one repository, which is both one of models and one of datasets. */
export async function playHub(): Promise<PlayedHub> {
  let repository = '';
  let files: Record<string, Buffer> = {};
  let fault: HubFault = {};
  const commit = 'c'.repeat(40);
  const server = createServer((req, res) => answer(req, res));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const played: PlayedHub = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    ranges: [],
    asked: [],
    breaksAfter: undefined,
    isStuck: false,
    serve(name, content, more = {}) {
      [repository, files, fault] = [name, content, more];
    },
    reset() {
      played.serve('', {});
      Object.assign(played, { ranges: [], asked: [], breaksAfter: undefined, isStuck: false });
    },
  };
  return played;

  function list(res: ServerResponse): void {
    const siblings = Object.entries(files).map(([rfilename, bytes]) => ({
      rfilename,
      size: bytes.length,
      blobId: createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex'),
      ...(/\.(gguf|parquet)$/.test(rfilename) && {
        lfs: { sha256: fault.wrongHash ? '1'.repeat(64) : sha256(bytes), size: bytes.length },
      }),
    }));
    const cardData = { license: 'mit', language: 'en', tags: ['chat'] };
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ sha: commit, siblings, cardData }));
  }

  function answer({ url = '', headers }: IncomingMessage, res: ServerResponse): void {
    const { pathname } = new URL(url, 'http://hub');
    if (fault.token !== undefined && headers.authorization !== `Bearer ${fault.token}`)
      return void res.writeHead(401, { 'x-error-code': 'GatedRepo' }).end();
    if (/^\/api\/(models|datasets)\//.test(pathname) && pathname.endsWith(`s/${repository}/revision/main`))
      return void list(res);
    const path = decodeURIComponent(
      pathname.replace(/^\/datasets/, '').replace(`/${repository}/resolve/${commit}/`, ''),
    );
    const file = files[path];
    played.asked.push(path);
    if (!file) return void res.writeHead(404, { 'x-error-code': 'RepoNotFound' }).end();
    give(file, headers.range, res);
  }

  function give(file: Buffer, range: string | undefined, res: ServerResponse): void {
    const [, from = '0'] = /^bytes=(\d+)-$/.exec(range ?? '') ?? [];
    if (range !== undefined) played.ranges.push(range);
    const bytes = fault.sends === undefined ? file.subarray(Number(from)) : Buffer.alloc(fault.sends);
    res.writeHead(range ? 206 : 200, {
      ...(range && { 'content-range': `bytes ${from}-${file.length - 1}/${file.length}` }),
      'content-length': bytes.length,
    });
    const { breaksAfter } = played;
    if (breaksAfter === undefined || bytes.length <= breaksAfter) return void res.end(bytes);
    played.breaksAfter = played.isStuck ? breaksAfter : undefined;
    res.write(bytes.subarray(0, breaksAfter), () => {
      if (!played.isStuck) res.destroy();
    });
  }
}
