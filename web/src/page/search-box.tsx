// "What do you want to do?": one box over all operations, by name, summary and synonym.
import { useRef, useState } from 'preact/hooks';
import { OFTEN_USED } from '../operation-words.ts';
import { language, t } from '../strings.ts';
import { mayCallGroup, whyNotCallable } from '../work/key.ts';
import { groupOf, PATHS, search, titleOf } from '../work/operations.ts';
import { announce } from '../work/voice.ts';
import { addStep, steps } from '../work/work.ts';
import { Icon } from './icon.tsx';

const MOST_SHOWN = 40;

export function add(path: string): void {
  const step = addStep(path);
  announce(t('stepAdded', titleOf(path), steps.value.length));
  requestAnimationFrame(() =>
    document.getElementById(`step-${step.id}`)?.scrollIntoView({ block: 'nearest' }),
  );
}

export function SearchBox() {
  const [query, setQuery] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const box = useRef<HTMLInputElement>(null);
  const found = query.trim() === '' ? [] : search(query).slice(0, MOST_SHOWN);
  const isShown = isOpen && query.trim() !== '';
  const choose = (path: string | undefined): void => {
    if (path === undefined || whyNotCallable(path) !== undefined) return;
    add(path);
    setQuery('');
    setOpen(false);
    box.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (move !== 0 && found.length > 0) {
      event.preventDefault();
      const next = (active + move + found.length) % found.length;
      setActive(next);
      document.getElementById(`found-${next}`)?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter' && isShown) {
      event.preventDefault();
      choose(found[active]);
    } else if (event.key === 'Escape') {
      setQuery('');
      setOpen(false);
    }
  };
  return (
    <div class="search">
      <label for="search-box">{t('whatToDo')}</label>
      <div class="search-field">
        <Icon name="search" />
        <input
          id="search-box"
          ref={box}
          type="text"
          role="combobox"
          aria-expanded={isShown}
          aria-controls="found-list"
          aria-autocomplete="list"
          aria-activedescendant={isShown && found[active] ? `found-${active}` : undefined}
          autoComplete="off"
          spellcheck={false}
          placeholder={t('searchExample')}
          value={query}
          onInput={({ currentTarget }) => {
            setQuery(currentTarget.value);
            setActive(0);
            setOpen(true);
          }}
          onFocus={() => setOpen(true)}
          onBlur={() => setTimeout(() => setOpen(false), 150)}
          onKeyDown={onKeyDown}
        />
      </div>
      <ul
        id="found-list"
        role="listbox"
        aria-label={t('whatToDo')}
        class="found"
        hidden={!isShown || found.length === 0}
      >
        {found.map((path, at) => {
          const why = whyNotCallable(path);
          return (
            <li
              key={path}
              id={`found-${at}`}
              role="option"
              aria-selected={at === active}
              aria-disabled={why !== undefined}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(path)}
            >
              <span class="found-title">{titleOf(path)}</span>
              <span class={why === undefined ? 'found-path' : 'found-refusal'}>{why ?? path}</span>
            </li>
          );
        })}
      </ul>
      <p class="unseen" role="status">
        {isShown && found.length > 0 ? t('foundCount', found.length) : ''}
      </p>
      {isShown && found.length === 0 && <p class="note">{t('noMatch', query.trim())}</p>}
    </div>
  );
}

/** Before anybody has searched: what many come for, and all there is, by group. */
export function Suggestions() {
  const groups = [...new Set(PATHS.map(groupOf))];
  return (
    <div class="suggestions">
      <p class="note">{t('noStepsYet')}</p>
      <div class="picks">
        {Object.entries(OFTEN_USED).map(([path, short]) => (
          <button
            key={path}
            type="button"
            class="pick"
            disabled={whyNotCallable(path) !== undefined}
            title={whyNotCallable(path)}
            onClick={() => add(path)}
          >
            <strong>{short[language.value]}</strong>
            <span>{titleOf(path)}</span>
          </button>
        ))}
      </div>
      <details class="all-operations">
        <summary>{t('allOperations', PATHS.length)}</summary>
        {groups.map((group) => (
          <div key={group} class="group">
            <h3 lang="en">{group}</h3>
            {!mayCallGroup(group) && <p class="note">{t('outOfScope', group)}</p>}
            <ul>
              {PATHS.filter((path) => groupOf(path) === group).map((path) => (
                <li key={path}>
                  <button
                    type="button"
                    class="link"
                    disabled={whyNotCallable(path) !== undefined}
                    onClick={() => add(path)}
                  >
                    {titleOf(path)}
                  </button>
                  {mayCallGroup(group) && <span class="note refusal">{whyNotCallable(path)}</span>}
                </li>
              ))}
            </ul>
          </div>
        ))}
      </details>
    </div>
  );
}
