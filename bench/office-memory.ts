// Whether memory grows with office documents: a hundred, one after another, through a service with one worker.
//
//   node bench/office-memory.ts [document ...]
//
// Printed are sizes of all processes together, shared pages counted once, after the first ten and after each further
// ten. LibreOffice is replaced after fifty documents; the last figure is to be no larger than the first by a quarter.
import { startService } from '../test/service.ts';
import { Client, formBody } from './load.ts';
import { memoryOf } from './memory.ts';

const DOCUMENTS = 110;
const EVERY = 10;
const MAY_GROW = 1.25;

const given = process.argv.slice(2);
const bodies = (given.length > 0 ? given : ['fixtures/letter.docx']).map((path) =>
  formBody({ fileInput: [path] }, {}),
);
const service = await startService({ env: { BINDERY_WORKERS: '1', BINDERY_LOG_LEVEL: 'error' } });
const sizes: number[] = [];
let failures = 0;
try {
  const client = new Client(service.url, service.key, 1);
  for (let done = 1; done <= DOCUMENTS; done += 1) {
    const body = bodies[done % bodies.length];
    if (!body || !(await client.post('convert/file/pdf', body))) failures += 1;
    if (done % EVERY !== 0) continue;
    const { processes, rssMb, pssMb } = memoryOf(service.process.pid ?? 0);
    sizes.push(pssMb);
    console.log(
      `${String(done).padStart(4)} documents: ${pssMb.toFixed(0)} MB (${rssMb.toFixed(0)} MB resident, ${processes} processes)`,
    );
  }
  client.close();
} finally {
  await service.remove();
}
const [first = 0] = sizes;
const hasGrown = (sizes.at(-1) ?? 0) > first * MAY_GROW;
console.log(`${failures} failed; memory ${hasGrown ? 'HAS GROWN' : 'has not grown'}.`);
process.exitCode = hasGrown || failures > 0 ? 1 : 0;
