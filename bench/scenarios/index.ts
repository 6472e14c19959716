// Every comparison, by subject. A new operation worth measuring adds a line to one of these files.
import type { Scenario } from '../scenario.ts';
import { archiving } from './archiving.ts';
import { compression } from './compression.ts';
import { drawing } from './drawing.ts';
import { forms } from './forms.ts';
import { geometry } from './geometry.ts';
import { images } from './images.ts';
import { office } from './office.ts';
import { pages } from './pages.ts';
import { pictures } from './pictures.ts';
import { rasters } from './rasters.ts';
import { reading } from './reading.ts';
import { recognition } from './recognition.ts';
import { structure } from './structure.ts';

export const SCENARIOS: Record<string, Scenario[]> = {
  archiving,
  compression,
  structure,
  geometry,
  forms,
  images,
  drawing,
  rasters,
  pages,
  office,
  pictures,
  reading,
  recognition,
};
