// A page of the document as it was, and as it is now, side by side.
import { useRef, useState } from 'preact/hooks';
import { Icon } from '../page/icon.tsx';
import { PageImage } from '../pdfium/page-image.tsx';
import { t } from '../strings.ts';
import type { InputFile } from '../work/files.ts';
import type { Result } from '../work/run.ts';

const WIDE = 300;

export function BeforeAfter({ result }: { result: Result }) {
  const [page, setPage] = useState(0);
  const place = useRef<HTMLDivElement>(null);
  const { view } = result;
  const before = result.sources.length === 1 ? result.sources[0] : undefined;
  const count = view.pages.value.length;
  if (view.state.value !== 'ready' || count === 0) return null;
  const at = Math.min(page, count - 1);
  const hasBefore = before?.state.value === 'ready' && at < before.pages.value.length;
  const width = Math.min(WIDE, Math.floor((place.current?.clientWidth ?? 360) / (hasBefore ? 2 : 1)) - 12);
  return (
    <div class="before-after" ref={place}>
      <div class="sheets">
        {before && hasBefore && <Sheet name={t('before')} input={before} page={at} width={width} />}
        <Sheet name={hasBefore ? t('after') : t('page', at + 1)} input={view} page={at} width={width} />
      </div>
      {count > 1 && (
        <div class="pager">
          <button
            type="button"
            class="icon"
            disabled={at === 0}
            aria-label={t('previousPage')}
            onClick={() => setPage(at - 1)}
          >
            <Icon name="left" />
          </button>
          <span aria-live="polite">{t('pageOf', at + 1, count)}</span>
          <button
            type="button"
            class="icon"
            disabled={at === count - 1}
            aria-label={t('nextPage')}
            onClick={() => setPage(at + 1)}
          >
            <Icon name="right" />
          </button>
        </div>
      )}
    </div>
  );
}

const Sheet = ({
  name,
  input,
  page,
  width,
}: {
  name: string;
  input: InputFile;
  page: number;
  width: number;
}) => (
  <figure>
    <PageImage input={input} page={page} width={width} />
    <figcaption>{name}</figcaption>
  </figure>
);
