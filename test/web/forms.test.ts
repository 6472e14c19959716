// For every operation: its form is there, and what is sent when each field is filled in is what the catalogue says.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'puppeteer-core';
import { buildWeb } from '../../scripts/build-web.ts';
import { CATALOGUE, type CatalogueParam } from '../../sdk/src/catalogue.ts';
import {
  ENGLISH_CHOICES,
  ENGLISH_FIELDS,
  GERMAN_CHOICES,
  GERMAN_FIELDS,
  isSameEverywhere,
} from '../../web/src/field-words.ts';
import { GERMAN_TITLES, OFTEN_USED, SYNONYMS } from '../../web/src/operation-words.ts';
import { namedFields, orderedFields } from '../../web/src/work/common-fields.ts';
import { type RunningService, startService } from '../service.ts';
import { skip, startBrowser, type Visit, visit } from './browser.ts';

let service: RunningService;
let browser: Browser;
let seen: Visit;
before(async () => {
  if (skip) return;
  await buildWeb();
  [service, browser] = await Promise.all([startService(), startBrowser()]);
  seen = await visit(browser, `${service.url}/#key=${service.key}`);
  await seen.page.evaluate(recordCalls);
});
after(async () => {
  await browser?.close();
  await service?.remove();
});

test('every operation has a German title and words it is found by, and no other has', () => {
  const paths = Object.keys(CATALOGUE).sort();
  assert.deepEqual(Object.keys(GERMAN_TITLES).sort(), paths);
  assert.deepEqual(Object.keys(SYNONYMS).sort(), paths);
  for (const path of Object.keys(OFTEN_USED)) assert.ok(paths.includes(path), path);
});

test('every field and every choice has German words, no other has, and fields that come first exist', () => {
  const entries = Object.values(CATALOGUE);
  const own = entries.flatMap(({ files, params }) => [
    ...files.map(({ name }) => name).filter((name) => name !== 'fileInput'),
    ...params.map(({ name }) => name),
  ]);
  const fields = [...new Set(own)].sort();
  assert.deepEqual(Object.keys(GERMAN_FIELDS).sort(), fields);
  for (const name of Object.keys(ENGLISH_FIELDS)) assert.ok(fields.includes(name), name);
  const choices = entries.flatMap(({ params }) => params.flatMap(({ values = [] }) => values.map(String)));
  const words = [...new Set(choices)].filter((choice) => !isSameEverywhere(choice)).sort();
  assert.deepEqual(Object.keys(GERMAN_CHOICES).sort(), words);
  for (const choice of Object.keys(ENGLISH_CHOICES)) assert.ok(words.includes(choice), choice);
  for (const [path, name] of namedFields()) {
    const { files, params } = CATALOGUE[path] ?? assert.fail(`no operation ${path}`);
    assert.ok(
      [...files, ...params].some((field) => field.name === name),
      `${path} ${name}`,
    );
  }
  // Fields that do nothing are never among the first.
  for (const [path, entry] of Object.entries(CATALOGUE)) {
    const { common, more } = orderedFields(path, entry, 'fileInput', {});
    assert.equal(common.length + more.length, new Set([...common, ...more]).size, path);
    const all = entry.params.length + entry.files.filter(({ name }) => name !== 'fileInput').length;
    assert.equal(common.length + more.length, all, path);
    for (const { name, description } of common)
      assert.doesNotMatch(description, /^Ignored/, `${path} ${name}`);
  }
});

/** In the page: calls of operations are noted and answered 204, all others go to the service. */
function recordCalls(): void {
  const real = window.fetch;
  const calls: { path: string; body: string }[] = [];
  Object.assign(window, { calls });
  window.fetch = async (input, init) => {
    const path = new URL(String(input), location.href).pathname;
    if (init?.method !== 'POST') return real(input, init);
    calls.push({ path, body: await (init.body as Blob).text() });
    return new Response(null, { status: 204 });
  };
}

/** What is entered into a field, and what must be sent for it. */
function sampleFor(param: CatalogueParam): { entered: string; sent: unknown } {
  const { kind, values, schema, default: byDefault } = param;
  const bounds = schema as Record<string, number | undefined> & { items?: { type?: string } };
  if (values) {
    const chosen = values.at(-1);
    return { entered: String(chosen), sent: chosen === byDefault ? undefined : chosen };
  }
  switch (kind) {
    case 'flag':
      return { entered: 'toggle', sent: byDefault !== true };
    case 'integer':
    case 'number': {
      const number = bounds.multipleOf ?? bounds.minimum ?? (bounds.exclusiveMinimum ?? 0) + 1;
      return { entered: String(number), sent: number };
    }
    case 'list':
      return bounds.items?.type === 'integer'
        ? { entered: '1\n2', sent: [1, 2] }
        : { entered: 'one\ntwo words', sent: ['one', 'two words'] };
    case 'json':
      return { entered: '[{"name":"a","x":1}]', sent: [{ name: 'a', x: 1 }] };
    case 'pages':
      return { entered: '1,3-5', sent: '1,3-5' };
    case 'colour':
      return { entered: '#112233', sent: '#112233' };
    case 'url':
      return { entered: 'https://example.org/', sent: 'https://example.org/' };
    default:
      return { entered: 'Ä "b"', sent: 'Ä "b"' };
  }
}

/** In the page: the form of an operation is filled in and run, and taken away again. */
async function fillAndRun(
  path: string,
  entered: Record<string, string>,
  files: string[],
): Promise<{ path: string; body: string; missing: string[] }> {
  const until = async <T>(find: () => T | null | undefined): Promise<T> => {
    for (let tries = 0; tries < 500; tries++) {
      const found = find();
      if (found) return found;
      await new Promise((next) => setTimeout(next, 4));
    }
    throw new Error(`${path}: waited in vain for ${find}`);
  };
  const fire = (element: Element, value: string): void => {
    const kind =
      element instanceof HTMLSelectElement
        ? HTMLSelectElement
        : element instanceof HTMLTextAreaElement
          ? HTMLTextAreaElement
          : HTMLInputElement;
    Object.getOwnPropertyDescriptor(kind.prototype, 'value')?.set?.call(element, value);
    element.dispatchEvent(
      new Event(element instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }),
    );
  };
  const frame = (): Promise<unknown> => new Promise((next) => setTimeout(next, 0));
  const box = document.querySelector('#search-box') as HTMLInputElement;
  box.focus();
  fire(box, path.replaceAll('/', ' '));
  const item = await until(() =>
    [...document.querySelectorAll('#found-list li')].find(
      (each) => each.querySelector('.found-path')?.textContent === path,
    ),
  );
  (item as HTMLElement).click();
  const card = await until(() => document.querySelector(`[data-op="${path}"] .form`)?.closest('.step'));
  const missing: string[] = [];
  for (const name of files) {
    const input = card.querySelector<HTMLInputElement>(`[data-field="${name}"] input[type=file]`);
    if (!input) missing.push(name);
    else {
      const chosen = new DataTransfer();
      chosen.items.add(new File(['x'], `${name}.bin`));
      input.files = chosen.files;
      input.dispatchEvent(new Event('change', { bubbles: true }));
    }
    await frame();
  }
  for (const [name, value] of Object.entries(entered)) {
    const field = card.querySelector(`[data-field="${name}"]`);
    const asText = [...(field?.querySelectorAll<HTMLElement>('.json > .link') ?? [])].find(
      (each) => !field?.querySelector('textarea.code') && each,
    );
    asText?.click();
    await frame();
    const control = field?.querySelector(`[name="${name}"]`);
    const label = field?.querySelector('label');
    if (!control || !label?.textContent || !field?.querySelector('.hint')?.textContent) missing.push(name);
    else if (value === 'toggle') (control as HTMLElement).click();
    else fire(control, value);
    await frame();
  }
  const calls = (window as unknown as { calls: { path: string; body: string }[] }).calls;
  calls.length = 0;
  const run = await until(() =>
    document.querySelector<HTMLButtonElement>('.run-bar .primary:not([disabled])'),
  );
  run.click();
  const call = await until(() => calls[0]);
  await until(() => document.querySelector('.run-bar .primary'));
  (card.querySelector('.mover-buttons button:last-child') as HTMLElement).click();
  await until(() => !document.querySelector('.step'));
  return { ...call, missing };
}

const partOf = (body: string, name: string): string | undefined =>
  new RegExp(`name="${name}"\\r\\n\\r\\n([\\s\\S]*?)\\r\\n--bindery-`).exec(body)?.[1];

test('the form of every operation has every field, and sends what is entered', { skip }, async () => {
  const { page } = seen;
  await page.evaluate(() => {
    const chosen = new DataTransfer();
    chosen.items.add(new File(['x'], 'no-ending'));
    const picker = document.querySelector('.files input[type=file]') as HTMLInputElement;
    picker.files = chosen.files;
    picker.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await page.waitForFunction(() => document.querySelectorAll('.file').length === 1);
  for (const [path, entry] of Object.entries(CATALOGUE)) {
    const extra = entry.files.filter(({ name }) => name !== 'fileInput').map(({ name }) => name);
    // What this service can read is ticked there; the tick of another test.
    const params = entry.params.filter(({ name }) => name !== 'languages');
    const samples = params.map((param) => ({ param, ...sampleFor(param) }));
    const entered = Object.fromEntries(samples.map((sample) => [sample.param.name, sample.entered]));
    const call = await page.evaluate(fillAndRun, path, entered, extra);
    assert.deepEqual(call.missing, [], path);
    const expected = samples.filter(({ sent }) => sent !== undefined);
    if (!entry.files.some(({ name }) => name === 'fileInput')) {
      assert.equal(call.path, `/api/v1/${path}`);
      for (const { param, sent } of expected)
        assert.equal(partOf(call.body, param.name), String(sent), `${path} ${param.name}`);
      continue;
    }
    assert.equal(call.path, '/api/v1/pipeline', path);
    const [step, ...others] = JSON.parse(partOf(call.body, 'steps') ?? '[]') as {
      op: string;
      params: Record<string, unknown>;
    }[];
    assert.deepEqual(others, []);
    assert.equal(step?.op, path);
    const own = Object.entries(step?.params ?? {}).filter(([name]) => !name.endsWith('@part'));
    assert.deepEqual(
      Object.fromEntries(own),
      Object.fromEntries(expected.map(({ param, sent }) => [param.name, sent])),
      path,
    );
    for (const name of extra) {
      const [part] = (step?.params[`${name}@part`] as string[] | undefined) ?? [];
      assert.match(call.body, new RegExp(`name="${part}"; filename="${name}.bin"`), path);
    }
  }
  assert.deepEqual(seen.complaints, []);
});
