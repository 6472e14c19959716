// Files handed to the person: saved, or shown in a tab of their own where that is safe.

/** Never HTML or SVG: in a tab they would be pages of this origin, and could use the key. */
const SHOWN = /^(?:application\/pdf|image\/(?:png|jpeg|gif|webp|bmp)|text\/plain|application\/json)$/;

const LINK_MS = 60_000;

export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), LINK_MS);
}

export const mayBeShown = (mediaType: string): boolean =>
  SHOWN.test(mediaType.split(';', 1)[0]?.trim() ?? '');

/** Text goes as plain text, whatever it is. */
export function showInTab(content: Blob, mediaType: string): void {
  const plain = /^(?:text\/plain|application\/json)/.test(mediaType);
  const address = URL.createObjectURL(
    new Blob([content], { type: plain ? 'text/plain;charset=utf-8' : mediaType }),
  );
  window.open(address, '_blank', 'noopener');
  setTimeout(() => URL.revokeObjectURL(address), LINK_MS);
}
