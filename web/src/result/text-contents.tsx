// Reports as facts, text as text; never as a page.
import { useEffect, useState } from 'preact/hooks';
import { t } from '../strings.ts';
import { labelOf } from '../work/operations.ts';

const MOST_CHARACTERS = 20_000;
const MOST_BYTES = 2_000_000;
const MOST_ITEMS = 50;

export function TextContents({ file, isJson }: { file: File; isJson: boolean }) {
  const [text, setText] = useState<string | undefined>(undefined);
  useEffect(() => {
    let isHere = true;
    void file
      .slice(0, MOST_BYTES)
      .text()
      .then((read) => isHere && setText(read));
    return () => {
      isHere = false;
    };
  }, [file]);
  if (text === undefined) return null;
  if (isJson && file.size <= MOST_BYTES) {
    try {
      return (
        <div class="facts-list" lang="en">
          <Facts value={JSON.parse(text)} depth={0} />
        </div>
      );
    } catch {
      // Then as text.
    }
  }
  const shown = text.slice(0, MOST_CHARACTERS);
  return (
    <pre class="text" tabIndex={0} aria-label={file.name}>
      {shown}
      {text.length > shown.length || file.size > MOST_BYTES ? '\n…' : ''}
    </pre>
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function Facts({ value, depth }: { value: unknown; depth: number }) {
  if (!isObject(value)) return <span>{plain(value)}</span>;
  const entries = Object.entries(value);
  const shown = entries.slice(0, MOST_ITEMS);
  if (entries.length === 0) return <span class="quiet">–</span>;
  return (
    <dl>
      {shown.map(([name, each]) => (
        <div key={name} class={isObject(each) && Object.keys(each).length > 0 ? 'nested' : ''}>
          <dt>{Array.isArray(value) ? Number(name) + 1 : labelOf(name)}</dt>
          <dd>
            {isObject(each) && Object.keys(each).length > 0 && depth > 0 ? (
              <details>
                <summary>
                  {Array.isArray(each) ? each.length : Object.keys(each).map(labelOf).slice(0, 4).join(', ')}
                </summary>
                <Facts value={each} depth={depth + 1} />
              </details>
            ) : (
              <Facts value={each} depth={depth + 1} />
            )}
          </dd>
        </div>
      ))}
      {entries.length > shown.length && <div class="quiet">… {entries.length - shown.length}</div>}
    </dl>
  );
}

const plain = (value: unknown): string =>
  value === true
    ? t('yes')
    : value === false
      ? t('no')
      : value === null || value === ''
        ? '–'
        : String(value);
