// How far a job is, as its worker tells it: not more often than anybody could want to know.

/** What comes sooner after the last is left out, unless it is the end. */
const LEAST_MS = 50;

export type Tell = (done: number, of: number) => void;

/** Where nobody asked. */
export const TELL_NOBODY: Tell = () => {};

export function tellerTo(send: Tell): Tell {
  let toldAt = Number.NEGATIVE_INFINITY;
  let told = '';
  return (done, of) => {
    const now = performance.now();
    const what = `${done}/${of}`;
    if (what === told || (done < of && now - toldAt < LEAST_MS)) return;
    toldAt = now;
    told = what;
    send(done, of);
  };
}
