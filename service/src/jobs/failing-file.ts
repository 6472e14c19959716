// Which file of a step is to blame for its failure (operations 9.8: "`file` (name of the file, when one is to blame)").
import type { StepFile } from './step-files.ts';

/** Files of one run of a step, by the field that takes them. */
type Inputs = Readonly<Record<string, readonly StepFile[]>>;

/** A detail names the file it is about, or begins with its field. `usual` is blamed where it does neither. */
export function findFailingFile(
  detail: string,
  inputs: Inputs,
  usual: string | undefined,
): string | undefined {
  const names = Object.values(inputs).flatMap((files) => files.map(({ file }) => file.name));
  const [named] = names.filter((name) => isNamed(detail, name)).sort((a, b) => b.length - a.length);
  return named ?? onlyFileOf(/^\w+/.exec(detail)?.[0], inputs) ?? usual;
}

/** As words of their own: `a.pdf` is not named where `data.pdf` is. */
function isNamed(detail: string, name: string): boolean {
  for (let at = detail.indexOf(name); at >= 0; at = detail.indexOf(name, at + 1)) {
    const before = detail.charAt(at - 1);
    const after = detail.charAt(at + name.length);
    if (/^\s?$/.test(before) && /^[\s.,:;]?$/.test(after)) return true;
  }
  return false;
}

function onlyFileOf(field: string | undefined, inputs: Inputs): string | undefined {
  const files = field !== undefined && Object.hasOwn(inputs, field) ? inputs[field] : undefined;
  return files?.length === 1 ? files[0]?.file.name : undefined;
}
