// Pictures of a conversation as they are kept with it: smaller than they were sent, and the newest ones where all are too many.
import { MOST_PICTURE_LETTERS } from '@gantry/contract/http/chats.ts';

/** Of a conversation: what it says has to fit beside them. */
const MOST_LETTERS = 1_500_000;
const LONGEST_SIDE = 1024;
const QUALITY = 0.8;

export interface WithPictures {
  images?: readonly string[] | undefined;
}

/** `smaller`: null where it cannot be made so. */
export async function keepPictures<Message extends WithPictures>(
  messages: readonly Message[],
  smaller: (url: string) => Promise<string | null> = smallerPicture,
): Promise<(Omit<Message, 'images'> & { images?: string[] })[]> {
  const kept: (Omit<Message, 'images'> & { images?: string[] })[] = [];
  let left = MOST_LETTERS;
  for (const { images = [], ...message } of messages.toReversed()) {
    const fitting: string[] = [];
    for (const url of images) {
      const one = url.length <= MOST_PICTURE_LETTERS ? url : await smaller(url);
      if (one === null || one.length > Math.min(MOST_PICTURE_LETTERS, left)) continue;
      left -= one.length;
      fitting.push(one);
    }
    kept.unshift({ ...message, ...(fitting.length > 0 && { images: fitting }) });
  }
  return kept;
}

async function smallerPicture(url: string): Promise<string | null> {
  try {
    const picture = await createImageBitmap(await (await fetch(url)).blob());
    const scale = Math.min(1, LONGEST_SIDE / Math.max(picture.width, picture.height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(picture.width * scale));
    canvas.height = Math.max(1, Math.round(picture.height * scale));
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    return canvas.toDataURL('image/jpeg', QUALITY);
  } catch {
    // Not a picture that this browser can read.
    return null;
  }
}
