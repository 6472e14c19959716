import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isoDate, momentOf, momentOfCaller, momentOfPdf, pdfDate } from './pdf-dates.ts';

const fromPdf: [string, string | undefined][] = [
  ["D:20240102150405+01'00'", '2024-01-02T15:04:05+01:00'],
  ["D:20240102150405-08'30", '2024-01-02T15:04:05-08:30'],
  ['D:20240102150405Z', '2024-01-02T15:04:05Z'],
  ["D:20240102150405Z00'00'", '2024-01-02T15:04:05Z'],
  ["D:20240102150405-00'00'", '2024-01-02T15:04:05Z'],
  ['D:20240102150405', '2024-01-02T15:04:05Z'],
  ['20240102', '2024-01-02T00:00:00Z'],
  ['D:2024', '2024-01-01T00:00:00Z'],
  ['2024-01-02T15:04:05+05:30', '2024-01-02T15:04:05+05:30'],
  [' D:20240229000000Z\0', '2024-02-29T00:00:00Z'],
  ['D:20230229000000Z', undefined],
  ['D:20241302150405Z', undefined],
  ['D:20240102250405Z', undefined],
  ['D:20240100000000Z', undefined],
  ['Tuesday', undefined],
  ['', undefined],
];
test('dates of documents are read with their offset, unreadable ones are undefined', () => {
  for (const [text, expected] of fromPdf) {
    const at = momentOfPdf(text);
    assert.equal(at && isoDate(at), expected, text);
  }
});

const fromCaller: [string, string | undefined][] = [
  ['2024/01/02 15:04:05', 'D:20240102150405Z'],
  ['2024-01-02T15:04:05Z', 'D:20240102150405Z'],
  ['2024-01-02T15:04:05.123+02:00', "D:20240102150405+02'00'"],
  ['2024-01-02T15:04:05-0330', "D:20240102150405-03'30'"],
  ['2024-01-02', 'D:20240102000000Z'],
  ['2024-01-02T15:04', 'D:20240102150400Z'],
  ['2024/1/2 15:04:05', undefined],
  ['2024/02/30 15:04:05', undefined],
  ['2024/01/02', undefined],
  ['2024-01-02T15:04:05+25:00', undefined],
  ['D:20240102', undefined],
  ['yesterday', undefined],
];
test('callers write dates with slashes in UTC or as ISO 8601', () => {
  for (const [text, expected] of fromCaller) {
    const at = momentOfCaller(text);
    assert.equal(at && pdfDate(at), expected, text);
  }
});

test('a Date is written in UTC', () => {
  assert.equal(pdfDate(momentOf(new Date('2026-11-14T23:59:58.900Z'))), 'D:20261114235958Z');
});
