// Words of services and documents on their way to a terminal: they must not steer it.
import { plainText } from '@bindery/sdk';

/** What a terminal would act on, or not show: escaped, the JSON says the same. */
const UNSEEN = /[\u007f-\u009f\p{Cf}\u2028\u2029]/gu;

export const jsonText = (value: unknown): string =>
  `${JSON.stringify(value, null, 2).replace(UNSEEN, (letter) =>
    Array.from({ length: letter.length }, (_, at) => letter.charCodeAt(at))
      .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
      .join(''),
  )}\n`;

/** A file or another program gets every byte. */
export const onScreen = (text: string): string => (process.stdout.isTTY ? plainText(text) : text);

export async function showStream(stream: ReadableStream<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder();
  for await (const bytes of stream as unknown as AsyncIterable<Uint8Array>)
    process.stdout.write(plainText(decoder.decode(bytes, { stream: true })));
  process.stdout.write(plainText(decoder.decode()));
}
