// Pictures of a conversation as they are kept with it: smaller than they were sent, and the newest ones where all are too many.
import { MOST_PICTURE_LETTERS } from '@gantry/contract/areas/inference/chats.ts';

/** The limit of pictures in a conversation: its texts have to fit beside them. */
const MOST_LETTERS = 1_500_000;
/** Tried in turn until the picture is small enough. */
const LONGEST_SIDES = [1024, 768, 512, 256];
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
    // As an image: the page's policy lets nothing be fetched from a data URL.
    const picture = new Image();
    picture.src = url;
    await picture.decode();
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('2d');
    if (!context) return null;
    for (const side of LONGEST_SIDES) {
      const scale = Math.min(1, side / Math.max(picture.naturalWidth, picture.naturalHeight));
      canvas.width = Math.max(1, Math.round(picture.naturalWidth * scale));
      canvas.height = Math.max(1, Math.round(picture.naturalHeight * scale));
      // JPEG has no transparency, and would make it black.
      context.fillStyle = '#fff';
      context.fillRect(0, 0, canvas.width, canvas.height);
      context.drawImage(picture, 0, 0, canvas.width, canvas.height);
      const smaller = canvas.toDataURL('image/jpeg', QUALITY);
      if (smaller.length <= MOST_PICTURE_LETTERS) return smaller;
    }
    return null;
  } catch {
    // Not a picture that this browser can read.
    return null;
  }
}
