// In its own thread: files in, their SHA-256 out, in the order in which they came.
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Hashed } from './hash-files.ts';

const page = globalThis as unknown as {
  onmessage: (event: MessageEvent<Blob>) => void;
  postMessage(answer: Hashed): void;
};
let before: Promise<void> = Promise.resolve();

page.onmessage = ({ data: file }) => {
  before = before.then(async () => page.postMessage(await hashOf(file)));
};

async function hashOf(file: Blob): Promise<Hashed> {
  try {
    const hash = sha256.create();
    const reader = file.stream().getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { digest: bytesToHex(hash.digest()) };
      hash.update(value);
    }
  } catch (error) {
    return { failed: String(error) };
  }
}
