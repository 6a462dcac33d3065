// Row C2's peer: plain Express, with the given number of bytes in its answer.
import type { AddressInfo } from 'node:net';
import express from 'express';

const text = JSON.stringify({ hello: 'w'.repeat(Math.max(0, Number(process.argv[2]) - '{"hello":""}'.length)) });
const server = express()
  .get('/', (_req, res) => {
    res.type('json').send(text);
  })
  .listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
