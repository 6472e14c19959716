// A page of a document, drawn when it comes into view and given back when it is far out of it: a document of any length
// holds the pixels of a few screens.
import { useEffect, useRef } from 'preact/hooks';
import type { InputFile } from '../work/files.ts';
import { drawPage } from './viewer.ts';

/** So far from what is seen, in the window and in whatever scrolls within it, pages are drawn and kept. */
const AHEAD = '400px';
const MOST_DENSITY = 2;

const watched = new Map<Element, (isNear: boolean) => void>();
let observer: IntersectionObserver | undefined;

/** One observer for all pages. Browsers that do not know `scrollMargin` draw pages of a grid when they are seen. */
function watch(place: Element, onChange: (isNear: boolean) => void): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) watched.get(target)?.(isIntersecting);
    },
    { rootMargin: AHEAD, scrollMargin: AHEAD } as IntersectionObserverInit,
  );
  watched.set(place, onChange);
  observer.observe(place);
  return () => {
    watched.delete(place);
    observer?.unobserve(place);
  };
}

export function PageImage({ input, page, width }: { input: InputFile; page: number; width: number }) {
  const place = useRef<HTMLCanvasElement>(null);
  const size = input.pages.value[page] ?? { width: 612, height: 792 };
  const height = Math.round((width * size.height) / size.width);
  const password = input.password.value;
  useEffect(() => {
    const canvas = place.current;
    if (!canvas || input.state.value !== 'ready') return;
    let forget = (): void => {};
    const empty = (): void => {
      forget();
      canvas.width = 0;
      delete canvas.dataset.drawn;
    };
    const show = (): void => {
      const density = Math.min(MOST_DENSITY, window.devicePixelRatio || 1);
      const wish = drawPage(input, page, Math.round(width * density));
      forget = wish.forget;
      void wish.image.then((image) => {
        if (!image) return;
        canvas.width = image.width;
        canvas.height = image.height;
        canvas.getContext('bitmaprenderer')?.transferFromImageBitmap(image);
        canvas.dataset.drawn = '';
      });
    };
    const leave = watch(canvas, (isNear) => (isNear ? show() : empty()));
    return () => {
      leave();
      empty();
    };
  }, [input, page, width, password, input.state.value]);
  return (
    <canvas
      class="page-image"
      ref={place}
      style={{ width: `${width}px`, height: `${height}px` }}
      aria-hidden="true"
    />
  );
}
