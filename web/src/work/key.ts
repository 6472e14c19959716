// The API key: from the address (#key=...), from this tab, from this browser if that was ticked. It is sent to this
// service only, in a header, and stands in no cookie.
import { Bindery, type ServiceStatus } from '@bindery/sdk';
import { computed, signal } from '@preact/signals';
import { t } from '../strings.ts';

const NAME = 'bindery-key';

/** Storage may be switched off; the page works without. */
function stored(storage: () => Storage): string {
  try {
    return storage().getItem(NAME) ?? '';
  } catch {
    return '';
  }
}

/** The key in the fragment, which no server ever sees; it does not stay in the address bar, nor in the history. */
function keyInAddress(): string {
  const given = new URLSearchParams(location.hash.slice(1)).get('key') ?? '';
  if (given !== '') history.replaceState(null, '', location.pathname + location.search);
  return given.trim();
}

export const apiKey = signal('');
export const isRemembered = signal(false);
/** What the service says of itself and of the key; undefined until it has answered. */
export const status = signal<ServiceStatus | undefined>(undefined);
export const keyState = signal<'missing' | 'asking' | 'valid' | 'refused' | 'unreachable'>('missing');

export const client = computed(
  // How long work may take, the service decides.
  () => new Bindery({ baseUrl: location.origin, apiKey: apiKey.value || 'none', timeoutMs: 0 }),
);

export function takeKey(): void {
  const remembered = stored(() => localStorage);
  const given = keyInAddress();
  isRemembered.value = given === '' ? remembered !== '' : false;
  void useKey(given || stored(() => sessionStorage) || remembered, isRemembered.value);
}

export async function useKey(key: string, remember: boolean): Promise<void> {
  apiKey.value = key;
  isRemembered.value = remember;
  keep(key, remember);
  status.value = undefined;
  keyState.value = key === '' ? 'missing' : 'asking';
  if (key === '') return;
  try {
    const answer = await client.value.status();
    if (apiKey.value !== key) return;
    status.value = answer;
    keyState.value = 'valid';
  } catch (error) {
    if (apiKey.value === key)
      keyState.value = (error as { status?: number }).status === 401 ? 'refused' : 'unreachable';
  }
}

export const forgetKey = (): Promise<void> => useKey('', false);

function keep(key: string, remember: boolean): void {
  try {
    sessionStorage.removeItem(NAME);
    localStorage.removeItem(NAME);
    if (key !== '') (remember ? localStorage : sessionStorage).setItem(NAME, key);
  } catch {
    // It then lasts as long as the page does.
  }
}

/** Whether the key may call a group of operations; unknown counts as yes, the service will tell. */
export function mayCallGroup(group: string): boolean {
  const scopes = status.value?.scopes;
  return scopes === undefined || scopes.includes('*') || scopes.includes(group);
}

/** Why an operation cannot be called by this key, or by anybody here. */
export function whyNotCallable(path: string): string | undefined {
  const [group = ''] = path.split('/');
  if (!mayCallGroup(group)) return t('outOfScope', group);
  const refused = status.value?.unavailable ?? {};
  return Object.hasOwn(refused, path) ? refused[path] : undefined;
}
