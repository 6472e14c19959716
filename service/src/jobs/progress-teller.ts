// How far a job is, as its worker tells it: every page of an ordinary document, and of a huge one no more than anybody
// could want to know.

/** A step is told in so many parts at most. */
const MOST_PARTS = 1000;

export type Tell = (done: number, of: number) => void;

/** Where nobody asked. */
export const TELL_NOBODY: Tell = () => {};

/** Of one step: work that is done once more, as where a first try was not enough, is not told as a step back. */
export function tellerTo(send: Tell): Tell {
  let told = -1;
  return (done, of) => {
    const part = Math.floor((done * MOST_PARTS) / of);
    if (!(part > told)) return;
    told = part;
    send(done, of);
  };
}
