// Texts to phones through an adapter.
import type { Sender } from './mail-queue.ts';
import { type Adapter, signedPost } from './signed-post.ts';

export const textSender =
  (adapter: Adapter, now: () => number): Sender =>
  async ({ id, address, text }) => {
    await signedPost(adapter, { id, to: address, text }, now());
  };
