// Fields whose text has a form of its own: page selections, colours, sizes, addresses.
import { z } from 'zod';
import { Problem } from '../contract/problems.ts';
import { parsePageSelection } from '../pdf/pages/page-selection.ts';
import { type Common, field, type Presence, type Present } from './field.ts';

/** A page selection (operations 1.4), kept as text: only the document knows how many pages there are. */
export function pages<P extends Presence<string>>(
  description: string,
  options: P & Common & { emptyIsAbsent?: boolean },
): Present<string, P> {
  const schema = z.string().superRefine((value, context) => {
    try {
      parsePageSelection(value);
    } catch (error) {
      const message = error instanceof Problem ? error.detail : 'not a page selection';
      context.addIssue({ code: 'custom', message });
    }
  });
  const expects = 'a page selection such as 1,3,5-8, 7-, all or 2n';
  return field<string, P>(
    {
      kind: 'pages',
      description,
      schema,
      expects,
      fromText: (t) => t,
      reason: 'invalid_page_selection',
      // Operations 1.2: "an empty page selection takes the default where there is one and is refused where the field
      // is required", if only by a mode.
      emptyIsValue:
        !('default' in options && options.default !== undefined) && options.emptyIsAbsent !== true,
    },
    options,
  );
}

/** #RRGGBB, RRGGBB or #RGB; the value is always #rrggbb. */
export function colour<P extends Presence<string>>(
  description: string,
  options: P & Common,
): Present<string, P> {
  const fromText = (t: string) => {
    const hex = t.trim();
    if (/^#[0-9a-f]{3}$/i.test(hex)) return `#${[...hex.slice(1)].map((d) => d + d).join('')}`.toLowerCase();
    return /^#?[0-9a-f]{6}$/i.test(hex) ? `#${hex.replace('#', '')}`.toLowerCase() : t;
  };
  const schema = z.string().regex(/^#[0-9a-fA-F]{6}$/);
  return field<string, P>(
    { kind: 'colour', description, schema, expects: 'a colour such as #RRGGBB, RRGGBB or #RGB', fromText },
    options,
  );
}

const UNITS: Record<string, number> = {
  b: 1,
  kb: 1024,
  mb: 1024 ** 2,
  gb: 1024 ** 3,
  tb: 1024 ** 4,
  '': 1024 ** 2,
};

/** "number plus B, KB, MB, GB or TB (factor 1024 ...); no unit means MB. Bounds 1 KB to 2 GB." In bytes. */
export function size<P extends Presence<number>>(
  description: string,
  options: P & Common,
): Present<number, P> {
  return field<number, P>(
    {
      kind: 'size',
      description,
      schema: z
        .number()
        .min(1024)
        .max(2 * 1024 ** 3),
      expects: 'a size from 1 KB to 2 GB, such as 500KB or 1.5 MB',
      fromText: sizeFromText,
    },
    options,
  );
}

export function sizeFromText(given: string): unknown {
  const match = /^(\d+(?:[.,]\d+)?)([kmgt]?b)?$/i.exec(given.replace(/\s+/g, ''));
  if (!match) return given;
  const factor = UNITS[(match[2] ?? '').toLowerCase()] ?? 1;
  return Math.floor(Number((match[1] ?? '').replace(',', '.')) * factor);
}

/** A web address; whether it is public is checked where it is fetched. */
export function url<P extends Presence<string>>(
  description: string,
  options: P & Common,
): Present<string, P> {
  const schema = z
    .string()
    .max(2048)
    .refine((value) => {
      const parsed = URL.parse(value);
      return (
        parsed !== null &&
        /^https?:$/.test(parsed.protocol) &&
        parsed.username === '' &&
        parsed.password === ''
      );
    })
    .meta({ format: 'uri' });
  return field<string, P>(
    {
      kind: 'url',
      description,
      schema,
      expects: 'an http or https address of at most 2048 characters without credentials',
      fromText: (t) => t.trim(),
      reason: 'url_not_allowed',
    },
    options,
  );
}
