// Names in the description that are made from an operation's path.

const words = (path: string): string[] => path.split(/[/-]/).filter((word) => word !== '');

/** general/rotate-pdf becomes GeneralRotatePdf. */
export const pascalName = (path: string): string =>
  words(path)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');

/** general/rotate-pdf becomes generalRotatePdf. */
export function camelName(path: string): string {
  const pascal = pascalName(path);
  return pascal.slice(0, 1).toLowerCase() + pascal.slice(1);
}

export const groupOf = (path: string): string => path.split('/')[0] ?? path;
