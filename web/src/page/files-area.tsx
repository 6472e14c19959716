// The files: chosen, dropped, ordered, looked at.
import { useEffect, useRef } from 'preact/hooks';
import { PageImage } from '../pdfium/page-image.tsx';
import { isViewerLost, openPages, see } from '../pdfium/viewer.ts';
import { pageCount, sizeOf, t } from '../strings.ts';
import { extensionOf, type InputFile, takeFiles } from '../work/files.ts';
import { announce } from '../work/voice.ts';
import { files, moveFile, removeFile, setFiles } from '../work/work.ts';
import { Mover } from './mover.tsx';

const COVER_WIDTH = 56;

export function FilesArea() {
  const picker = useRef<HTMLInputElement>(null);
  const all = files.value;
  return (
    <section class="area files" aria-labelledby="files-title">
      <div class="area-head">
        <h2 id="files-title">{t('files')}</h2>
        {all.length > 0 && (
          <button type="button" class="link" onClick={() => setFiles([])}>
            {t('clear')}
          </button>
        )}
      </div>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label={t('chooseFiles')}
        onChange={({ currentTarget }) => {
          takeFiles(currentTarget.files ?? []);
          currentTarget.value = '';
        }}
      />
      {all.length > 0 && (
        <ol class="file-list">
          {all.map((file, at) => (
            <FileCard key={file.id} input={file} at={at} count={all.length} />
          ))}
        </ol>
      )}
      <button
        type="button"
        class={`drop-zone${all.length > 0 ? ' compact' : ''}`}
        onClick={() => picker.current?.click()}
      >
        <strong>{all.length > 0 ? t('addMore') : t('chooseFiles')}</strong>
        <span>{t('orDrop')}</span>
      </button>
      {all.length === 0 && <p class="note">{t('noFilesYet')}</p>}
      {isViewerLost.value && <p class="note">{t('noPreview')}</p>}
    </section>
  );
}

function FileCard({ input, at, count }: { input: InputFile; at: number; count: number }) {
  useEffect(() => see(input), [input]);
  const { file } = input;
  const pages = input.pages.value.length;
  return (
    <Mover
      class="file"
      name={file.name}
      at={at}
      count={count}
      group="file"
      onMove={(from, to) => {
        moveFile(from, to);
        announce(`${file.name}: ${to + 1} / ${count}`);
      }}
      onRemove={() => removeFile(input.id)}
    >
      <div class="cover">
        {input.state.value === 'ready' ? (
          <PageImage input={input} page={0} width={COVER_WIDTH} />
        ) : (
          <span class="ending">{extensionOf(file.name) || '?'}</span>
        )}
      </div>
      <div class="file-facts">
        <span class="file-name" title={file.name}>
          {file.name}
        </span>
        <span class="quiet">
          {[pages > 0 && pageCount(pages), sizeOf(file.size)].filter(Boolean).join(' · ')}
        </span>
      </div>
      <Password input={input} />
    </Mover>
  );
}

/** Asked for only where a document turned out to be locked. */
function Password({ input }: { input: InputFile }) {
  const entered = useRef<HTMLInputElement>(null);
  const state = input.state.value;
  if (state !== 'locked' && state !== 'wrong password') return null;
  const id = `password-${input.id}`;
  return (
    <form
      class="password"
      onSubmit={(event) => {
        event.preventDefault();
        input.password.value = entered.current?.value ?? '';
        void openPages(input);
      }}
    >
      <label for={id}>{t('password')}</label>
      <div class="joined">
        <input
          id={id}
          ref={entered}
          type="password"
          autoComplete="off"
          aria-describedby={`${id}-hint`}
          aria-invalid={state === 'wrong password' || undefined}
        />
        <button type="submit">{t('open')}</button>
      </div>
      <p
        class={state === 'locked' ? 'hint' : 'fault'}
        id={`${id}-hint`}
        role={state === 'locked' ? undefined : 'alert'}
      >
        {state === 'locked' ? t('passwordNeeded') : t('passwordWrong')}
      </p>
    </form>
  );
}
