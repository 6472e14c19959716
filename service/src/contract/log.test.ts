import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog, type LogLevel } from './log.ts';

function written(
  level: LogLevel,
  use: (log: ReturnType<typeof createLog>) => void,
): Record<string, unknown>[] {
  const lines: string[] = [];
  use(createLog(level, (line) => lines.push(line)));
  return lines.map((line) => {
    assert.match(line, /^[^\n]*\n$/, 'one line');
    return JSON.parse(line);
  });
}

test('a line is one JSON object with time, level, message and facts', () => {
  const [line] = written('info', (log) => log.with({ jobId: 'j' }).info('done', { ms: 3, text: 'a\nb' }));
  assert.match(String(line?.time), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const { time: _time, ...rest } = line ?? {};
  assert.deepEqual(rest, { level: 'info', message: 'done', jobId: 'j', ms: 3, text: 'a\nb' });
});

test('lines below the level are not written', () => {
  const use = (log: ReturnType<typeof createLog>) => {
    log.debug('d');
    log.info('i');
    log.warn('w');
    log.error('e');
  };
  const levels = (level: LogLevel) => written(level, use).map(({ message }) => message);
  assert.deepEqual(levels('debug'), ['d', 'i', 'w', 'e']);
  assert.deepEqual(levels('warn'), ['w', 'e']);
  assert.deepEqual(levels('silent'), []);
});

test('errors are told with their causes', () => {
  const [line] = written('error', (log) =>
    log.error('failed', { error: new TypeError('outer', { cause: new Error('inner') }) }),
  );
  const error = line?.error as { name: string; stack: string; cause: { message: string } };
  assert.deepEqual([error.name, error.cause.message], ['TypeError', 'inner']);
  assert.match(error.stack, /log\.test/);
});

test('nothing that can be thrown keeps a line from being written', () => {
  const endless = new Error('endless');
  endless.cause = endless;
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  for (const error of [endless, circle, 10n, Symbol('s'), { toJSON: () => circle }]) {
    const [line] = written('error', (log) => log.error('failed', { error }));
    assert.equal(line?.message, 'failed');
  }
});
