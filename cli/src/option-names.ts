// Options as they are written: those that every operation has, and fields of operations.
import type { Option } from './command.ts';

export const COMMON_OPTIONS: Record<string, Option> = {
  output: { short: 'o', value: 'path', description: 'File or folder for the result; - is standard output' },
  force: { short: 'f', description: 'Replace files that exist' },
  json: { description: 'Tell what was done as JSON on standard output' },
  url: { value: 'address', description: 'The service; absent: BINDERY_URL, else http://127.0.0.1:8080' },
  key: { value: 'key', description: 'API key; absent: BINDERY_API_KEY, else that of bindery login' },
  local: { description: 'Start a service of its own for this call; no address and no key needed' },
  timeout: { value: 'seconds', description: 'For one call; 0: no limit', default: '300' },
  background: {
    description: 'Leave the work to the service and print the job; "bindery jobs" goes on with it',
  },
  concurrency: { short: 'c', value: 'count', description: 'Calls at a time, for many files', default: '4' },
  quiet: { short: 'q', description: 'No progress, and no word of what was done' },
};

/** convertPDFToImage is convert-pdf-to-image. */
const kebab = (name: string): string =>
  name
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase();

/** A field that is called like a common option gets `--field-<name>`. */
export const optionName = (name: string): string =>
  Object.hasOwn(COMMON_OPTIONS, kebab(name)) ? `field-${kebab(name)}` : kebab(name);
