import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { licenceFault, productionPackages } from './permissive-licences.ts';

const judged = (licence: string, name = 'some-package'): string | undefined =>
  licenceFault({ name, version: '1.0.0', licence });

test('permissive licences pass, alone, together and by choice', () => {
  for (const licence of ['MIT', 'Apache-2.0 AND MIT', '(MIT OR CC0-1.0)', '(GPL-3.0 OR MIT)'])
    assert.equal(judged(licence), undefined, licence);
});

test('any other licence is refused with the name of the package', () => {
  for (const licence of ['GPL-3.0-or-later', 'AGPL-3.0', 'MIT AND GPL-2.0', 'UNLICENSED', 'SEE LICENSE IN x'])
    assert.match(judged(licence) ?? '', /^some-package 1\.0\.0 is under /, licence);
  assert.match(judged('') ?? '', /declares no licence/);
});

test('the LGPL is allowed to libvips alone, which is a library of its own', () => {
  assert.equal(judged('LGPL-3.0-or-later', '@img/sharp-libvips-linux-x64'), undefined);
  assert.ok(judged('LGPL-3.0-or-later'));
  assert.ok(judged('GPL-3.0-or-later', '@img/sharp-libvips-linux-x64'));
});

test('what production installs is listed; what only developers use is not', () => {
  const lock = JSON.parse(readFileSync(resolve(import.meta.dirname, '../package-lock.json'), 'utf8'));
  const names = productionPackages(lock).map(({ name }) => name);
  for (const name of ['fastify', 'sharp', 'zod', '@embedpdf/pdfium', 'yaml'])
    assert.ok(names.includes(name), name);
  for (const name of ['typescript', '@biomejs/biome', '@bindery/sdk']) assert.ok(!names.includes(name), name);
});

test('the lock file names no registry: packages come from whichever one the machine is set to', () => {
  const lock = readFileSync(resolve(import.meta.dirname, '../package-lock.json'), 'utf8');
  assert.doesNotMatch(lock, /"resolved": "https?:/);
});
