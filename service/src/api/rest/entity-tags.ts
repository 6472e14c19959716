/** RFC 9110 13.1.2: a list of tags, weak ones too, or any. */
export const isKnownTag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? '').split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));
