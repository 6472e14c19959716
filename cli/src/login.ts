// `bindery login`: keeps the address and key of a service, once the service has taken the key.
import { Bindery } from '@bindery/sdk';
import { type Command, UsageError } from './command.ts';
import { writeSettings } from './settings.ts';

const LONGEST_KEY = 1024;

export const LOGIN: Command = {
  summary: 'Keep the address and key of a service',
  positionals: [],
  options: {
    url: { value: 'address', description: 'The service; absent: BINDERY_URL, else http://127.0.0.1:8080' },
    key: { value: 'key', description: 'API key; absent: read from standard input, where nobody sees it' },
  },
  examples: ['bindery login --url https://pdf.example.org < key.txt'],
  async run(words, print) {
    const url = words.text('url') ?? (process.env.BINDERY_URL || 'http://127.0.0.1:8080');
    const key = words.text('key') ?? (await typedKey());
    if (key === '') throw new UsageError('a key is needed: --key, or on standard input');
    await clientOf(url, key).status();
    print(`The key is good; both are kept in ${writeSettings({ url, key })}\n`);
  },
};

function clientOf(baseUrl: string, apiKey: string): Bindery {
  try {
    return new Bindery({ baseUrl, apiKey, timeoutMs: 30_000 });
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(error.message) : error;
  }
}

async function typedKey(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('API key: ');
  let text = '';
  for await (const piece of process.stdin) {
    text += String(piece);
    if (text.includes('\n') || text.length > LONGEST_KEY) break;
  }
  return (text.split('\n', 1)[0] ?? '').trim();
}
