// How far a job is, as its worker tells it: not more often than anybody could want to know.

/** What comes sooner after the last is left out, unless it is the end. */
const LEAST_MS = 50;

export type Tell = (done: number, of: number) => void;

/** Where nobody asked. */
export const TELL_NOBODY: Tell = () => {};

/** Of one step: work that is done once more, as where a first try was not enough, is not told as a step back. */
export function tellerTo(send: Tell): Tell {
  let toldAt = Number.NEGATIVE_INFINITY;
  let toldShare = -1;
  return (done, of) => {
    const now = performance.now();
    const share = done / of;
    if (!(share > toldShare) || (done < of && now - toldAt < LEAST_MS)) return;
    toldAt = now;
    toldShare = share;
    send(done, of);
  };
}
