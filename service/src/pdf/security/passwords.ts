// What a password may be: newer encryption takes UTF-8, older takes few Latin-1 characters.
import { randomBytes } from 'node:crypto';
import { invalidParameter } from '../../contract/problems.ts';

const UTF8_BYTES = 127;
const LATIN1_CHARACTERS = 32;

/** Throws invalid_parameter naming the field; the password itself is never shown. */
export function checkPassword(field: string, password: string | undefined, keyLength: number): void {
  if (password === undefined) return;
  if (keyLength === 256) {
    if (Buffer.byteLength(password) <= UTF8_BYTES) return;
    throw invalidParameter(`${field} must have at most ${UTF8_BYTES} bytes in UTF-8.`);
  }
  if (/^[\u0001-\u00ff]*$/.test(password) && password.length <= LATIN1_CHARACTERS) return;
  throw invalidParameter(
    `${field} must have at most ${LATIN1_CHARACTERS} characters, all of Latin-1, for a key of ${keyLength} bits.`,
  );
}

/** Fits every encryption. */
export const unknownPassword = (): string => randomBytes(16).toString('base64url');
