// The workbench: files, steps, results. Everything is a pipeline; one step or many is the same thing.
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { FilesArea } from './page/files-area.tsx';
import { Header } from './page/header.tsx';
import { Icon } from './page/icon.tsx';
import { KeyButton } from './page/key-dialog.tsx';
import { StepsArea } from './page/steps-area.tsx';
import { theme, useTheme } from './page/theme.ts';
import { ResultsArea } from './result/results-area.tsx';
import { language, t, useLanguage } from './strings.ts';
import { takeFiles } from './work/files.ts';
import { takeKey } from './work/key.ts';
import { spoken } from './work/voice.ts';
import { canRedo, canUndo, redo, undo } from './work/work.ts';

function Workbench() {
  const isDropping = useDrop();
  useUndoKeys();
  return (
    <>
      <a class="skip" href="#steps">
        {t('skipToSteps')}
      </a>
      <Header isExplorer={false}>
        <button
          type="button"
          class="quiet-button"
          disabled={!canUndo.value}
          aria-label={t('undo')}
          title={t('undo')}
          onClick={undo}
        >
          <Icon name="undo" />
        </button>
        <button
          type="button"
          class="quiet-button"
          disabled={!canRedo.value}
          aria-label={t('redo')}
          title={t('redo')}
          onClick={redo}
        >
          <Icon name="redo" />
        </button>
        <KeyButton />
      </Header>
      <main class="areas">
        <FilesArea />
        <StepsArea />
        <ResultsArea />
      </main>
      <p class="unseen" role="status" aria-live="polite">
        {spoken.value}
      </p>
      {isDropping && (
        <div class="drop-veil" aria-hidden="true">
          {t('dropHere')}
        </div>
      )}
    </>
  );
}

/** Files may be dropped anywhere. */
function useDrop(): boolean {
  const [isDropping, setDropping] = useState(false);
  useEffect(() => {
    const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;
    const over = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setDropping(true);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setDropping(false);
    };
    const drop = (event: DragEvent): void => {
      setDropping(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      takeFiles(event.dataTransfer?.files ?? []);
    };
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  }, []);
  return isDropping;
}

/** Where the browser has an undo of its own. */
const TYPED_INTO =
  'textarea, input:not([type=checkbox], [type=radio], [type=color], [type=file], [type=range])';

function useUndoKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const key = event.key.toLowerCase();
      const isText = event.target instanceof HTMLElement && event.target.matches(TYPED_INTO);
      if (isText || !(event.ctrlKey || event.metaKey) || (key !== 'z' && key !== 'y')) return;
      event.preventDefault();
      if (event.shiftKey || key === 'y') redo();
      else undo();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

useTheme(theme.value);
useLanguage(language.value);
takeKey();
const place = document.getElementById('page');
if (place) render(<Workbench />, place);
