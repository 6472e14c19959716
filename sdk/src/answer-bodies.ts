// Bodies of answers, read no further than any true answer goes.
import { clientError } from './errors.ts';

/** Operations 1.7: "A result over 1 GiB is refused" by the service itself. */
export const MOST_RESULT_BYTES = 1024 ** 3;
/** Problems, uploads, status. */
export const SMALL_ANSWER_BYTES = 1024 ** 2;

/** Fails where more comes; what is still on its way is not waited for. */
export function bounded(body: ReadableStream<Uint8Array>, most: number): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let bytes = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const read = await reader.read();
        if (read.done) return controller.close();
        bytes += read.value.length;
        if (bytes > most) {
          await reader.cancel().catch(() => {});
          throw clientError('bad_response', `The answer is longer than the ${most} bytes that one may have.`);
        }
        controller.enqueue(read.value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

export const textWithin = ({ body }: Response, most: number): Promise<string> =>
  new Response(body && bounded(body, most)).text();
