// Structured lines on stderr, one JSON object each. Never a document's content, a password or a key.
import { inspect } from 'node:util';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
type Facts = Record<string, unknown>;

export interface Log {
  debug(message: string, facts?: Facts): void;
  info(message: string, facts?: Facts): void;
  warn(message: string, facts?: Facts): void;
  error(message: string, facts?: Facts): void;
  with(facts: Facts): Log;
}

const DEEPEST_CAUSE = 5;

function plain(value: unknown, depth = 0): unknown {
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  if (cause === undefined || depth === DEEPEST_CAUSE) return { name, message, stack };
  return { name, message, stack, cause: plain(cause, depth + 1) };
}

/** Whatever was thrown and is to be told, a line is written: circles and BigInts have no JSON. */
function lineOf(facts: Facts): string {
  try {
    return `${JSON.stringify(facts)}\n`;
  } catch {
    const { time, level, message } = facts;
    return `${JSON.stringify({ time, level, message, facts: inspect(facts).slice(0, 4000) })}\n`;
  }
}

export function createLog(
  level: LogLevel,
  write: (line: string) => void = (l) => process.stderr.write(l),
): Log {
  const least = LOG_LEVELS.indexOf(level);
  const make = (common: Facts): Log => {
    const at =
      (name: LogLevel) =>
      (message: string, facts: Facts = {}) => {
        if (LOG_LEVELS.indexOf(name) < least) return;
        const line: Facts = { time: new Date().toISOString(), level: name, message, ...common, ...facts };
        for (const key of Object.keys(line)) line[key] = plain(line[key]);
        write(lineOf(line));
      };
    return {
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      with: (facts) => make({ ...common, ...facts }),
    };
  };
  return make({});
}
