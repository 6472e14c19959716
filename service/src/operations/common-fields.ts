// Fields that every operation and the pipeline take. They stand here once; each face adds them to what an operation
// declares.
import { flag } from './fields.ts';

export const COMMON_FIELDS = {
  reproducible: flag(
    'The same request gives the same bytes whenever it is sent: dates and identifiers that results tell follow from the ' +
      'files and fields instead of the clock. Encryption, signatures and timestamps stay as they must be',
  ),
};

export const isCommonField = (name: string): boolean => Object.hasOwn(COMMON_FIELDS, name);
