// Small drawings, made for this page.
const PATHS = {
  handle: 'M6 4h.01M10 4h.01M6 8h.01M10 8h.01M6 12h.01M10 12h.01',
  up: 'M4 10l4-4 4 4',
  down: 'M4 6l4 4 4-4',
  left: 'M10 4l-4 4 4 4',
  right: 'M6 4l4 4-4 4',
  remove: 'M4 4l8 8M12 4l-8 8',
  undo: 'M6 3L3 6l3 3M3 6h6a4 4 0 0 1 0 8H6',
  redo: 'M10 3l3 3-3 3M13 6H7a4 4 0 0 0 0 8h3',
  key: 'M8 8a2.75 2.75 0 1 1-5.5 0A2.75 2.75 0 0 1 8 8zM8 8h6M11.5 8v2.5M14 8v2',
  search: 'M11 11l3 3M12 7.5a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0z',
  download: 'M8 3v7M5 7.5L8 10.5l3-3M3 13h10',
  turnLeft: 'M5 3L2.5 5.5 5 8M2.5 5.5H9a4 4 0 0 1 4 4V13',
  turnRight: 'M11 3l2.5 2.5L11 8M13.5 5.5H7a4 4 0 0 0-4 4V13',
} as const;

export const Icon = ({ name }: { name: keyof typeof PATHS }) => (
  <svg class="glyph" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
    <path d={PATHS[name]} />
  </svg>
);
