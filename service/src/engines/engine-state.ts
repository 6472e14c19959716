// What a machine has of an engine: told by each engine's probe, shown by info/status and the doctor.

export interface EngineState {
  available: boolean;
  version?: string;
  /** What to install, when it is missing: a sentence for operators and callers. */
  missing?: string;
  /** What an operator should know of it though it works. */
  note?: string;
  /** Codes of the languages it knows here. */
  languages?: readonly string[];
}
