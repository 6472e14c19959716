// Adobe Glyph List 2.0: names of glyphs and the characters they mean, in `adobe-glyph-list.txt` as `name hex;`.
// Copyright 2002-2019 Adobe (http://www.adobe.com/). Redistribution and use in source and binary forms, with or
// without modification, are permitted under the terms of the BSD 3-Clause licence of that list.
import { readFileSync } from 'node:fs';

let known: Map<string, string> | undefined;

/** The characters a glyph of this name stands for; undefined where the list does not know it. */
export function listedCharacters(name: string): string | undefined {
  known ??= new Map(
    readFileSync(new URL('./adobe-glyph-list.txt', import.meta.url), 'utf8')
      .trim()
      .split(/;\s*/)
      .map((row): [string, string] => {
        const [word = '', hex = ''] = row.split(' ');
        return [word, String.fromCodePoint(...hex.split('_').map((code) => Number.parseInt(code, 16)))];
      }),
  );
  return known.get(name);
}
