// Fields of both ways to redact.
import { flag, list, text } from '../fields.ts';

export const OCR_FIELDS = {
  verifyByOcr: flag(
    'The pages of the result are also read as they look, by text recognition: what is only pixels or lines is found, covered and taken out, and no file is returned where it can still be read',
  ),
  languages: list(
    'Codes of the languages for verifyByOcr, such as eng or deu; GET /api/v1/info/status lists those installed',
    text('Code', { required: true, min: 1, max: 60 }),
    { default: ['eng'], min: 1, max: 10 },
  ),
};
