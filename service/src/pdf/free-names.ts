// Names that must not clash: the first asker gets the name itself, later ones name_2, name_3 ...

export type FreeNames = (wanted: string) => string;

/** What it hands out counts as taken. Each asking is quick, however many names were taken before. */
export function freeNames(suffixed = (name: string, n: number) => `${name}_${n}`): FreeNames {
  const taken = new Set<string>();
  const next = new Map<string, number>();
  return (wanted) => {
    let free = wanted;
    for (let n = next.get(wanted) ?? 2; taken.has(free); n += 1) {
      free = suffixed(wanted, n);
      next.set(wanted, n + 1);
    }
    taken.add(free);
    return free;
  };
}
