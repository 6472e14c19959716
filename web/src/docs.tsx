// The API explorer at /docs: every call of the served OpenAPI description, with its fields, its answers, and a form to
// try it.
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { CallPage } from './explorer/call-page.tsx';
import { callsOf, type Described, type DescribedCall } from './explorer/description.ts';
import { Header } from './page/header.tsx';
import { KeyButton } from './page/key-dialog.tsx';
import { theme, useTheme } from './page/theme.ts';
import { language, t, useLanguage } from './strings.ts';
import { takeKey } from './work/key.ts';
import { spoken } from './work/voice.ts';

function Explorer() {
  const [description, setDescription] = useState<Described | undefined>(undefined);
  const [filter, setFilter] = useState('');
  const [chosen, setChosen] = useState(() => location.hash.slice(1));
  useEffect(() => {
    void fetch('/v1/openapi.json')
      .then((answer) => answer.json())
      .then(setDescription);
    const follow = (): void => setChosen(location.hash.slice(1));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  const calls = description ? callsOf(description) : [];
  const wanted = filter.trim().toLowerCase();
  const shown = calls.filter((call) => `${call.path} ${call.summary}`.toLowerCase().includes(wanted));
  const current = calls.find(({ id }) => id === chosen) ?? calls[0];
  return (
    <>
      <Header isExplorer>
        <KeyButton />
      </Header>
      <main class="explorer">
        <nav class="explorer-list" aria-label={t('apiExplorer')}>
          <p class="note">
            {t('explorerIntro')} <a href="/v1/openapi.json">{t('description')}</a>
          </p>
          <label for="filter" class="unseen">
            {t('explorerFilter')}
          </label>
          <input
            id="filter"
            type="search"
            placeholder={t('explorerFilter')}
            value={filter}
            onInput={({ currentTarget }) => setFilter(currentTarget.value)}
          />
          {[...new Set(shown.map(({ tag }) => tag))].map((tag) => (
            <Group
              key={tag}
              tag={tag}
              calls={shown.filter((call) => call.tag === tag)}
              current={current?.id}
            />
          ))}
        </nav>
        {description && current && <CallPage key={current.id} call={current} description={description} />}
      </main>
      <p class="unseen" role="status">
        {spoken.value}
      </p>
    </>
  );
}

function Group({
  tag,
  calls,
  current,
}: {
  tag: string;
  calls: readonly DescribedCall[];
  current: string | undefined;
}) {
  return (
    <div>
      <h2 lang="en">{tag}</h2>
      <ul lang="en">
        {calls.map(({ id, summary }) => (
          <li key={id}>
            <a href={`#${id}`} aria-current={id === current ? 'page' : undefined}>
              {summary}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

useTheme(theme.value);
useLanguage(language.value);
takeKey();
const place = document.getElementById('page');
if (place) render(<Explorer />, place);
