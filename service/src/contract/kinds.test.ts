import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FileKind, kindOf, sniff } from './kinds.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

test('the first bytes tell the kind', () => {
  const cases: [Uint8Array, FileKind][] = [
    [bytes('%PDF-1.7\n'), 'pdf'],
    [bytes(`${' '.repeat(1000)}%PDF-1.7`), 'pdf'],
    [bytes(`${' '.repeat(2000)}%PDF-1.7`), 'any'],
    [bytes('\u0089PNG\r\n\u001a\n'), 'png'],
    [bytes('\u00ff\u00d8\u00ff\u00e0'), 'jpeg'],
    [bytes('GIF89a'), 'gif'],
    [bytes('BM....'), 'bmp'],
    [bytes('II*\0'), 'tiff'],
    [bytes('MM\0*'), 'tiff'],
    [bytes('RIFF....WEBPVP8 '), 'webp'],
    [bytes('RIFF....WAVEfmt '), 'any'],
    [bytes('PK\u0003\u0004'), 'zip'],
    [bytes('<?xml version="1.0"?>\n<!-- drawn --><svg xmlns="x">'), 'svg'],
    [bytes('<!DOCTYPE svg [<!ENTITY a "x>y"><!ENTITY b "&a;&a;">]><s:svg xmlns:s="x">'), 'svg'],
    [Buffer.from('\ufeff<?xml version="1.0" encoding="UTF-16"?><svg/>', 'utf16le'), 'svg'],
    [Buffer.from('\ufeff<?xml version="1.0"?><svg/>', 'utf16le').swap16(), 'svg'],
    [Buffer.from('<?xml version="1.0" encoding="UTF-16LE"?><svg/>', 'utf16le'), 'svg'],
    [bytes('<html><svg></svg></html>'), 'any'],
    [bytes(''), 'any'],
  ];
  for (const [head, wanted] of cases)
    assert.equal(sniff(head), wanted, Buffer.from(head).toString('latin1').slice(0, 20));
});

test('the name tells the kind of text only', () => {
  const cases: [string, Uint8Array, FileKind][] = [
    ['page.HTML', bytes('Hello'), 'html'],
    ['page.htm', bytes('<svg xmlns="x"></svg>'), 'html'],
    ['page.html', bytes('PK\u0003\u0004'), 'zip'],
    ['page.html', bytes('a\0b'), 'any'],
    ['page.html', bytes('\u00ff\u00fe<\0h\0'), 'html'],
    ['notes.md', bytes('# Hello'), 'markdown'],
    ['notes.md', bytes('<h1 align="center">Hello</h1>'), 'markdown'],
    ['notes.md', bytes('%PDF-1.7'), 'pdf'],
    ['notes', bytes('<!DOCTYPE html><p>'), 'html'],
    ['notes.txt', bytes('Hello'), 'text'],
    ['notes.pdf', bytes('Hello'), 'any'],
  ];
  for (const [name, head, wanted] of cases) assert.equal(kindOf(name, head), wanted, name);
});
