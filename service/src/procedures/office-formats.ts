import { type Content, InputFile } from '../contract/files.ts';

/** A file of ours as an engine takes it. */
export const ownFile = (name: string, content: Content): InputFile =>
  new InputFile(name, content, name.replace(/\.[^.]*$/, ''));
