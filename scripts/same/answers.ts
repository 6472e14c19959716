// What the service answered to one call, and how two answers may differ.

export interface Answer {
  status: number;
  headers: Record<string, string>;
  bytes: Buffer;
}

/** When the answers were made: times within it are the clock's doing, all others the document's. */
export interface Run {
  from: number;
  to: number;
  /** That may open a result. */
  passwords: readonly string[];
  /** The files that were sent. */
  sent: readonly Uint8Array[];
}

export type Likeness =
  | { state: 'byte-equal' }
  /** Equal but for identifiers, the time of day and what encryption draws by lot. */
  | { state: 'judged-equal' }
  | { state: 'different'; kind: Kind; what: string };

export type Kind = 'status' | 'headers' | 'json' | 'objects' | 'entries' | 'pixels' | 'text' | 'bytes';

export const different = (kind: Kind, what: string): Likeness => ({ state: 'different', kind, what });
