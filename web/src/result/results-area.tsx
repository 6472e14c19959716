// What came back: pages before and after, facts, download; kept until the tab closes.
import { useEffect, useRef, useState } from 'preact/hooks';
import { mayBeShown, saveFile, showInTab } from '../page/downloads.ts';
import { Icon } from '../page/icon.tsx';
import { see } from '../pdfium/viewer.ts';
import { pageCount, sizeOf, t } from '../strings.ts';
import { takeFiles } from '../work/files.ts';
import { titleOf } from '../work/operations.ts';
import { failure, finished, nothing, type Result, results } from '../work/run.ts';
import { announce } from '../work/voice.ts';
import { steps } from '../work/work.ts';
import { ArchiveContents } from './archive-contents.tsx';
import { BeforeAfter } from './before-after.tsx';
import { TextContents } from './text-contents.tsx';

export function ResultsArea() {
  const all = results.value;
  const place = useRef<HTMLElement>(null);
  const runs = finished.value;
  useEffect(() => {
    if (runs > 0 && place.current) bringIntoView(place.current);
  }, [runs]);
  return (
    <section class="area results" aria-labelledby="results-title" ref={place}>
      <div class="area-head">
        <h2 id="results-title">{t('results')}</h2>
        {all.length > 0 && (
          <button type="button" class="link" onClick={() => (results.value = [])}>
            {t('clear')}
          </button>
        )}
      </div>
      <FailureBox />
      {nothing.value && (
        <p class="notice" role="status">
          {nothing.value}
        </p>
      )}
      {all.length === 0 && !failure.value && !nothing.value && <p class="note empty">{t('noResultsYet')}</p>}
      <ol class="result-list">
        {all.map((result, at) => (
          <ResultCard key={result.id} result={result} isNewest={at === 0} />
        ))}
      </ol>
    </section>
  );
}

/** In a narrow window the outcome stands far from the button that was pressed; a field that is to blame comes first. */
function bringIntoView(area: HTMLElement): void {
  const field = document.querySelector('.step [aria-invalid]');
  const { top } = (field ?? area).getBoundingClientRect();
  if (top >= 0 && top < innerHeight * 0.6) return;
  (field ?? area).scrollIntoView({ block: field ? 'center' : 'start' });
}

function FailureBox() {
  const failed = failure.value;
  if (!failed) return null;
  const at = steps.value.findIndex(({ id }) => id === failed.stepId);
  const step = steps.value[at];
  return (
    <div class="failure" role="alert">
      <h3>{t('failed')}</h3>
      {step && steps.value.length > 1 && (
        <p class="quiet">
          {t('step', at + 1)}: {titleOf(step.op)}
        </p>
      )}
      <p lang="en">{failed.message}</p>
      {failed.hint && (
        <p class="quiet" lang="en">
          {failed.hint}
        </p>
      )}
      <p class="reason">
        <code>{failed.reason}</code>
        {failed.requestId && <code title="X-Request-Id">{failed.requestId.slice(0, 8)}</code>}
      </p>
    </div>
  );
}

function ResultCard({ result, isNewest }: { result: Result; isNewest: boolean }) {
  const [isOpen, setOpen] = useState(isNewest);
  useEffect(() => setOpen(isNewest), [isNewest]);
  const { file, mediaType, view } = result;
  useEffect(() => {
    if (view.isPdf) see(view);
  }, [view]);
  const pages = view.pages.value.length;
  return (
    <li class="result">
      <div class="result-head">
        <h3 class="file-name" title={file.name}>
          {file.name}
        </h3>
        <p class="quiet">
          {[
            sizeOf(file.size),
            pages > 0 && pageCount(pages),
            t('made', sourceText(result), (result.ms / 1000).toFixed(1)),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <SizeChange result={result} />
      </div>
      <div class="actions">
        <button type="button" class="primary" onClick={() => saveFile(file, file.name)}>
          <Icon name="download" />
          {t('download')}
        </button>
        <button
          type="button"
          onClick={() => {
            takeFiles([file]);
            announce(t('usedAsInput', file.name));
          }}
        >
          {t('useAsInput')}
        </button>
        {mayBeShown(mediaType) && (
          <button type="button" onClick={() => showInTab(file, mediaType)}>
            {t('openInTab')}
          </button>
        )}
      </div>
      {!isNewest && (
        <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t('showFull')}
        </button>
      )}
      {isOpen && <Contents result={result} />}
    </li>
  );
}

const sourceText = ({ sources, ops }: Result): string =>
  sources.length === 0
    ? titleOf(ops[0] ?? '')
    : sources.length === 1
      ? (sources[0]?.file.name ?? '')
      : t('filesCount', sources.length);

function SizeChange({ result }: { result: Result }) {
  const before = result.sources.reduce((sum, { file }) => sum + file.size, 0);
  // Compared are documents with documents only.
  if (before === 0 || !result.view.isPdf || !result.sources.every(({ isPdf }) => isPdf)) return null;
  const change = Math.round((result.file.size / before - 1) * 100);
  if (change === 0) return <p class="change">{t('sameSize')}</p>;
  const words = change < 0 ? t('smaller', -change) : t('larger', change);
  return <p class={`change ${change < 0 ? 'less' : ''}`}>{words}</p>;
}

function Contents({ result }: { result: Result }) {
  const { file, mediaType, view } = result;
  if (view.isPdf) return <BeforeAfter result={result} />;
  if (
    /^(?:application\/json|text\/plain)/.test(mediaType) ||
    /\.(?:json|txt|md|csv|xml|js|rtf)$/i.test(file.name)
  )
    return <TextContents file={file} isJson={/json/.test(mediaType) || /\.json$/i.test(file.name)} />;
  if (/\.zip$/i.test(file.name)) return <ArchiveContents file={file} />;
  return null;
}
