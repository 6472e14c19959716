// Where a stamp, page numbers, a watermark or a picture will stand: a preview on the page, placed by a click.
import { useEffect, useState } from 'preact/hooks';
import { t } from '../strings.ts';
import { type CatalogueParam, entryOf } from '../work/operations.ts';
import { Board, type Sheet } from './board.tsx';
import type { VisualProps } from './visuals.ts';

/** Operations 1.5: fractions of the mean of width and height. */
const MARGINS: Readonly<Record<string, number>> = {
  small: 0.02,
  medium: 0.035,
  large: 0.05,
  'x-large': 0.075,
};

/** A value as it will be: what was set, else the default. */
function valuesOf({ step }: VisualProps): (name: string) => unknown {
  const params: readonly CatalogueParam[] = entryOf(step.op)?.params ?? [];
  return (name) => step.values[name] ?? params.find((param) => param.name === name)?.default;
}

interface Drawing {
  text: string;
  image: string | undefined;
  fontSize: number;
  colour: string;
  opacity: number;
  rotation: number;
}

function Drawn({
  drawing,
  scale,
  style,
}: {
  drawing: Drawing;
  scale: number;
  style: Record<string, string>;
}) {
  return (
    <span
      class="placed"
      style={{
        ...style,
        fontSize: `${drawing.fontSize * scale}px`,
        color: drawing.colour,
        opacity: String(drawing.opacity),
        rotate: `${-drawing.rotation}deg`,
        ...(drawing.image ? { height: `${drawing.fontSize * scale}px` } : {}),
      }}
    >
      {drawing.image ? <img src={drawing.image} alt="" /> : drawing.text}
    </span>
  );
}

/** An address of a chosen picture, as long as it is shown. */
function useImage(file: File | undefined): string | undefined {
  const [address, setAddress] = useState<string | undefined>(undefined);
  useEffect(() => {
    // SVG is drawn as an image, which runs no script.
    const made = file && URL.createObjectURL(file);
    setAddress(made);
    return () => {
      if (made) URL.revokeObjectURL(made);
    };
  }, [file]);
  return address;
}

/** A place of nine, as CSS: the corner it hangs at and how it is moved back over it. */
function nineth(position: number, margin: number, { size, scale }: Sheet): Record<string, string> {
  const [column, row] = [(position - 1) % 3, Math.floor((position - 1) / 3)];
  const away = margin * ((size.width + size.height) / 2) * scale;
  const across = [`${away}px`, '50%', `calc(100% - ${away}px)`][column] ?? '50%';
  const down = [`${away}px`, '50%', `calc(100% - ${away}px)`][row] ?? '50%';
  return { left: across, top: down, translate: `${-50 * column}% ${-50 * row}%` };
}

/** misc/add-stamp and misc/add-page-numbers: one of nine places by a click; a stamp's exact place stays with its fields. */
export function NinePlacesVisual(props: VisualProps) {
  const [page, setPage] = useState(0);
  const { step, input, set } = props;
  const value = valuesOf(props);
  const isStamp = step.op.endsWith('add-stamp');
  const image = useImage(isStamp && value('stampType') === 'image' ? step.files.stampImage?.[0] : undefined);
  const count = input.pages.value.length;
  const numbered = String(value('customText') ?? '{n}')
    .replaceAll('{n}', String(Number(value('startingNumber') ?? 1) + page))
    .replaceAll('{total}', String(count))
    .replaceAll('{filename}', input.file.name.replace(/\.pdf$/i, ''));
  const drawing: Drawing = {
    text: isStamp ? String(value('stampText') ?? '').replaceAll('\\n', '\n') : numbered,
    image,
    fontSize: Number(value('fontSize') ?? 12),
    colour: String(value(isStamp ? 'customColor' : 'fontColor') ?? '#000000'),
    opacity: isStamp ? Number(value('opacity') ?? 1) : 1,
    rotation: isStamp ? Number(value('rotation') ?? 0) : 0,
  };
  const place = (sheet: Sheet): Record<string, string> => {
    const [x, y] = [Number(value('overrideX') ?? -1), Number(value('overrideY') ?? -1)];
    const margin = MARGINS[String(value('customMargin'))] ?? 0.035;
    if (x < 0 || y < 0) return nineth(Number(value('position') ?? 8), margin, sheet);
    return { left: `${x * sheet.scale}px`, bottom: `${y * sheet.scale}px` };
  };
  const choose = (event: PointerEvent): void => {
    const { left, top, width, height } = (event.currentTarget as Element).getBoundingClientRect();
    const third = (part: number): number => Math.max(0, Math.min(2, Math.floor(part * 3)));
    const position = third((event.clientX - left) / width) + 3 * third((event.clientY - top) / height) + 1;
    const exact = isStamp ? { overrideX: undefined, overrideY: undefined } : {};
    set({ position: position === 8 ? undefined : position, ...exact });
  };
  return (
    <Board
      {...{ input, page }}
      onPage={setPage}
      class="drawing clipped"
      hint={t('clickPlace')}
      onPointerDown={choose}
    >
      {(sheet) => <Drawn drawing={drawing} scale={sheet.scale} style={place(sheet)} />}
    </Board>
  );
}

/** misc/add-image: the lower left corner of the picture, by a click. */
export function ImagePlaceVisual(props: VisualProps) {
  const [page, setPage] = useState(0);
  const { step, input, set } = props;
  const value = valuesOf(props);
  const image = useImage(step.files.imageFile?.[0]);
  const [x, y] = [Number(value('x') ?? 0), Number(value('y') ?? 0)];
  const [width, height] = [step.values.width, step.values.height];
  const choose = (event: PointerEvent, { size, scale }: Sheet): void => {
    const { left, top } = (event.currentTarget as Element).getBoundingClientRect();
    const across = Math.round((event.clientX - left) / scale);
    const up = Math.round(size.height - (event.clientY - top) / scale);
    set({ x: across, y: up });
  };
  return (
    <Board
      {...{ input, page }}
      onPage={setPage}
      class="drawing clipped"
      hint={t('clickPlace')}
      onPointerDown={choose}
    >
      {({ scale }) => (
        <span class="placed" style={{ left: `${x * scale}px`, bottom: `${y * scale}px` }}>
          {image ? (
            <img
              src={image}
              alt=""
              style={{
                width: typeof width === 'number' ? `${width * scale}px` : undefined,
                height: typeof height === 'number' ? `${height * scale}px` : undefined,
                ...(typeof width !== 'number' && typeof height !== 'number' ? { zoom: String(scale) } : {}),
              }}
            />
          ) : (
            '+'
          )}
        </span>
      )}
    </Board>
  );
}

/** security/add-watermark: tiles around the one in the middle of the page. */
export function WatermarkVisual(props: VisualProps) {
  const [page, setPage] = useState(0);
  const { step, input } = props;
  const value = valuesOf(props);
  const image = useImage(value('watermarkType') === 'image' ? step.files.watermarkImage?.[0] : undefined);
  const text = String(value('watermarkText') ?? '').replaceAll('\\n', '\n');
  const fontSize = Number(value('fontSize') ?? 30);
  const drawing: Drawing = {
    ...{ text, image, fontSize },
    colour: String(value('customColor') ?? '#d3d3d3'),
    opacity: Number(value('opacity') ?? 0.5),
    rotation: Number(value('rotation') ?? 0),
  };
  // A letter is about half as wide as it is high.
  const wide = Math.max(fontSize, fontSize * 0.55 * Math.max(...text.split('\n').map((line) => line.length)));
  const [across, down] = [
    wide + Number(value('widthSpacer') ?? 50),
    fontSize * 1.2 + Number(value('heightSpacer') ?? 50),
  ];
  return (
    <Board {...{ input, page }} onPage={setPage} class="clipped">
      {({ size, scale }) => {
        const columns = Math.min(12, Math.ceil(size.width / across / 2));
        const rows = Math.min(20, Math.ceil(size.height / down / 2));
        const places = Array.from({ length: 2 * rows + 1 }, (_, row) => row - rows).flatMap((row) =>
          Array.from({ length: 2 * columns + 1 }, (_, column) => [column - columns, row] as const),
        );
        return places.map(([column, row]) => (
          <Drawn
            key={`${column} ${row}`}
            drawing={drawing}
            scale={scale}
            style={{
              left: `${(size.width / 2 + column * across) * scale}px`,
              top: `${(size.height / 2 + row * down) * scale}px`,
              translate: '-50% -50%',
            }}
          />
        ));
      }}
    </Board>
  );
}
