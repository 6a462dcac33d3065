// nginx as others run it: the peer of our proxies, and what answers behind them.
import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitUntil } from '../faults/wait-until.ts';

const NGINX = '/usr/sbin/nginx';

/** A location that passes all on as it comes, over kept connections, and the upstream that it needs. */
export const proxyTo = (port: number): [location: string, upstream: string] => [
  `location / {
    proxy_pass http://replica;
    proxy_http_version 1.1;
    proxy_buffering off;
    proxy_request_buffering off;
    proxy_set_header Connection "";
    proxy_set_header Host $host;
    proxy_set_header X-Forwarded-For $remote_addr;
    proxy_set_header X-Forwarded-Proto $scheme;
    proxy_set_header X-Forwarded-Host $host;
  }`,
  `upstream replica { server 127.0.0.1:${port}; keepalive 256; keepalive_requests 1000000; }`,
];

/** One process, as one gateway is: master and worker in one. */
export async function nginx(folder: string, name: string, port: number, location: string, upstream: string) {
  const file = join(folder, `${name}.conf`);
  const pidFile = join(folder, `${name}.pid`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${name}-${kind};`,
  );
  await writeFile(
    file,
    `daemon off; master_process off; pid ${pidFile}; error_log ${folder}/${name}.log;
     events { worker_connections 1024; }
     http { access_log ${name === 'proxy' ? `${folder}/access.log combined buffer=64k` : 'off'}; keepalive_requests 1000000; ${temporary.join(' ')} ${upstream}
       server { listen 127.0.0.1:${port}; ${location} } }`,
  );
  const child = spawn(NGINX, ['-c', file, '-e', `${folder}/${name}.log`], { stdio: ['ignore', 'inherit', 'inherit'] });
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      ({ ok }) => ok,
      () => false,
    );
  await waitUntil(`nginx ${name} answers`, isUp, { limitMs: 10_000, context: () => `see ${folder}/${name}.log` });
  return { child, pid: Number(await readFile(pidFile, 'utf8')) };
}
