// Answers of a stranger's S3 server before the SDK parses them. Objects that were asked for pass as they come; all else is XML, which is
// bounded, because it is parsed in one turn of the loop, and has no declarations: of each, the SDK's parser would copy all that follows.

/** What the server said cannot be read. */
export class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer';
}

const MOST_XML = 384 * 1024;

interface Answered {
  statusCode: number;
  body: AsyncIterable<Uint8Array>;
}

/** A middleware of the SDK, between the wire and its parser. */
export const boundedAnswer =
  <Args extends object, Output extends { response: unknown }>(
    next: (args: Args) => Promise<Output>,
    { commandName }: { commandName?: string },
  ) =>
  async (args: Args): Promise<Output> => {
    const output = await next(args);
    const response = output.response as Answered;
    const isObject = commandName === 'GetObjectCommand' && response.statusCode < 300;
    if (!isObject) Object.assign(response, { body: await readXml(response.body) });
    return output;
  };

async function readXml(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MOST_XML) throw new UnreadableAnswer(`it has more than ${MOST_XML} bytes`);
    chunks.push(chunk);
  }
  const whole = Buffer.concat(chunks);
  if (whole.includes('<!')) throw new UnreadableAnswer('it has declarations');
  return whole;
}
