import { randomBytes } from 'node:crypto';

/** Url-safe, and never taken for an option: people hand these names to commands. */
export const nameOf = (bytes: Buffer): string => bytes.toString('base64url').replace(/^[-_]/, 'x');

/** 192 random bits: nobody finds a file, a job or an upload by guessing. */
export const newName = (): string => nameOf(randomBytes(24));
