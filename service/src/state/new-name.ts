import { randomBytes } from 'node:crypto';

/** 192 random bits, url-safe: nobody finds a file or an upload by guessing. */
export const newName = (): string => randomBytes(24).toString('base64url');
