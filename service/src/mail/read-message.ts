// A file becomes a message, whichever of the kinds it is.
import type { InputFile } from '../contract/files.ts';
import { Problem } from '../contract/problems.ts';
import { looksLikeEml, readEml } from './eml.ts';
import type { Message } from './message.ts';
import { looksLikeMsg, readMsg } from './msg.ts';

export function readMessage(file: InputFile): Message {
  const bytes = file.bytes();
  try {
    const message = looksLikeMsg(bytes)
      ? readMsg(bytes)
      : looksLikeEml(file.head())
        ? readEml(bytes)
        : undefined;
    if (message) return message;
  } catch (error) {
    throw notMail(file.name, error);
  }
  throw notMail(file.name);
}

const notMail = (name: string, cause?: unknown): Problem =>
  new Problem(
    'unsupported_file_type',
    `${name} is not a mail message that can be read; eml and msg are taken.`,
    { cause },
  );
