// Whether veraPDF is here. Asking loads nothing of what reads its reports.
import type { EngineState } from '../engine-state.ts';
import { probeProgram } from '../installed.ts';

export const PROGRAM = 'verapdf';

export const probe = async (): Promise<EngineState> =>
  probeProgram(PROGRAM, 'verapdf (optional; from verapdf.org, as /usr/local/bin/verapdf)');
