// Many small pieces of text, put together: streams are slow with them.

const BATCH_CHARACTERS = 64 * 1024;

export async function* inBatches(pieces: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  let batch = '';
  for await (const piece of pieces) {
    batch += piece;
    if (batch.length < BATCH_CHARACTERS) continue;
    yield batch;
    batch = '';
  }
  if (batch !== '') yield batch;
}
