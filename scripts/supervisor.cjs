'use strict';
// Keeps the service running: starts the API process, starts it anew when it dies or when its event loop stands still,
// passes signals on. Like the launcher it runs under whatever Node there is (CommonJS, ES2018, no dependencies), for
// the launcher itself becomes the supervisor: a service has no process more for it.
const { spawn } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const ROOT = path.resolve(__dirname, '..');
const SERVICE = ['--disable-warning=ExperimentalWarning', path.join(ROOT, 'service/src/main.ts')];

const TICK_MS = 1000;
/** A tick that comes so late means that we did not run ourselves: the machine slept, or has no time for anybody. */
const LATE_TICK_MS = 3 * TICK_MS;
/** After a death; doubled with each that follows soon. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10000;
/** Who has served so long has not died "again". */
const STEADY_MS = 30000;
/** So many starts in a row that never came to serve. */
const FAILED_STARTS = 5;
const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const say = (line) => process.stderr.write(`bindery: ${line}\n`);

/**
 * Tells a loop that stands still from a process that is not let run. What counts is the processor time its main thread
 * used since its last sign of life, or the time in which it could have run and did nothing, as when it was stopped. Who
 * waits for a processor or for the disk is not to blame, and would not be helped by being killed.
 */
class LoopWatch {
  constructor(limitMs, now) {
    this.limitMs = limitMs;
    this.tickedAt = now;
    this.forget();
  }

  forget() {
    this.stillMs = 0;
    this.cpuMs = undefined;
  }

  /** `thread`: state and processor time of the main thread, undefined where the system does not tell. */
  isBlocked(now, thread) {
    const passedMs = now - this.tickedAt;
    this.tickedAt = now;
    if (this.limitMs === 0) return false;
    if (passedMs > LATE_TICK_MS) {
      this.forget();
      return false;
    }
    const usedMs = thread && this.cpuMs !== undefined ? thread.cpuMs - this.cpuMs : 0;
    this.cpuMs = thread && thread.cpuMs;
    const waits = thread && (thread.state === 'R' || thread.state === 'D');
    this.stillMs += waits ? Math.min(usedMs, passedMs) : passedMs;
    return this.stillMs >= this.limitMs;
  }
}

/** Of proc_pid_stat(5): state, and utime and stime in hundredths of a second. */
function mainThreadOf(pid) {
  try {
    const line = fs.readFileSync(`/proc/${pid}/task/${pid}/stat`, 'latin1');
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0], cpuMs: 10 * (Number(fields[11]) + Number(fields[12])) };
  } catch (_) {
    return undefined;
  }
}

const clock = () => {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
};

/** As shells tell it. */
const exitCode = (code, signal) => (signal ? 128 + os.constants.signals[signal] : code);

/** Ends this process with the service, when it was told to stop or cannot be kept running. */
function supervise(node, args, env) {
  const onTerminal = Boolean(process.stdin.isTTY);
  /** What the API process is told of its former lives; its metrics pass it on. */
  const history = { restarts: { blocked: 0, crashed: 0, killed: 0 }, last: null };
  let stopping = false;
  let child;
  let pause;
  let port;
  let quickDeaths = 0;
  let failedStarts = 0;

  function start() {
    pause = undefined;
    const startedAt = clock();
    // One that took a free port keeps it: callers know the address.
    const own = port === undefined ? env : Object.assign({}, env, { BINDERY_PORT: String(port) });
    child = spawn(node, args, { env: own, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
    const running = child;
    let watch;
    let ticker;
    let blocked = false;
    child.on('message', (message) => {
      if (message.kind === 'beat' && watch) watch.forget();
      if (message.kind !== 'listening') return;
      port = message.port;
      failedStarts = 0;
      watch = new LoopWatch(message.blockedMs, clock());
      ticker = setInterval(() => {
        if (!watch.isBlocked(clock(), mainThreadOf(running.pid))) return;
        blocked = true;
        say(`the API process has stood still for ${seconds(watch.stillMs)}; ending it.`);
        running.kill('SIGKILL');
      }, TICK_MS);
    });
    // Told at its start; one that is gone already shows by its end.
    child.send({ kind: 'history', history }, () => {});
    child.on('error', (error) => {
      if (running.pid !== undefined) return;
      say(`${node} could not be started: ${error.message}`);
      process.exit(1);
    });
    child.on('exit', (code, signal) => {
      clearInterval(ticker);
      child = undefined;
      ended(watch !== undefined, blocked, code, signal, clock() - startedAt);
    });
  }

  function ended(hasServed, blocked, code, signal, livedMs) {
    if (!hasServed) failedStarts += 1;
    // An end by its own will, or by a signal that asks for one, is to be respected; so is a start that was refused.
    const wanted = stopping || code === 0 || PASSED_ON.includes(signal);
    const refused = !hasServed && history.last === null;
    if (wanted || refused) process.exit(exitCode(code, signal));
    if (failedStarts >= FAILED_STARTS) {
      say(`the API process could not be started ${FAILED_STARTS} times in a row; giving up.`);
      process.exit(exitCode(code, signal));
    }
    const reason = blocked ? 'blocked' : signal ? 'killed' : 'crashed';
    history.restarts[reason] += 1;
    history.last = { reason, at: Date.now() };
    quickDeaths = livedMs < STEADY_MS ? quickDeaths + 1 : 1;
    const pauseMs = Math.min(FIRST_PAUSE_MS * Math.pow(2, quickDeaths - 1), LONGEST_PAUSE_MS);
    const how = signal ? `was ended by ${signal}` : `ended with code ${code}`;
    say(`the API process ${how} after ${seconds(livedMs)}; starting it anew in ${seconds(pauseMs)}.`);
    pause = setTimeout(start, pauseMs);
  }

  for (const signal of PASSED_ON) {
    process.on(signal, () => {
      stopping = true;
      if (pause) process.exit(0);
      // A terminal sends Ctrl-C to the whole process group: passed on, the child would count it twice.
      if (child && !(signal === 'SIGINT' && onTerminal)) child.kill(signal);
    });
  }
  start();
}

const seconds = (ms) => `${(ms / 1000).toFixed(ms < 10000 ? 1 : 0)} s`;

module.exports = { LoopWatch, SERVICE, supervise };
if (require.main === module) supervise(process.execPath, SERVICE.concat(process.argv.slice(2)), process.env);
