/** Work on the same thing one after the other, work on different things side by side. */
export function createTurns(): <T>(thing: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return <T>(thing: string, work: () => Promise<T>): Promise<T> => {
    const turn = (last.get(thing) ?? Promise.resolve()).then(work, work);
    last.set(thing, turn);
    const tidy = () => {
      if (last.get(thing) === turn) last.delete(thing);
    };
    turn.then(tidy, tidy);
    return turn;
  };
}
