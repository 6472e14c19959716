// Structured lines on stderr, one JSON object each. Never a document's content, a password or a key.

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

function plain(value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const cause = value.cause === undefined ? {} : { cause: plain(value.cause) };
  return { name: value.name, message: value.message, stack: value.stack, ...cause };
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
        write(`${JSON.stringify(line)}\n`);
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
