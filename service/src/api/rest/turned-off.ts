// Operations that the operator has turned off (BINDERY_DISABLED_OPERATIONS). They are not in the description, and calls
// are refused by 403: interface 7.1, "permission denied".
import { nearestName } from '../../contract/nearest-name.ts';
import { Problem } from '../../contract/problems.ts';
import type { AnyOperation } from '../../operations/define.ts';
import { OPERATIONS } from '../../operations/index.generated.ts';

export class TurnedOff {
  readonly #paths: ReadonlySet<string>;

  /** Operations or groups by name; throws a line for the operator where there is no such thing. */
  constructor(names: readonly string[]) {
    const all = Object.keys(OPERATIONS);
    const known = [...new Set(all.map((path) => path.split('/', 1)[0] ?? '')), 'pipeline', ...all];
    const unknown = names.find((name) => !known.includes(name));
    if (unknown !== undefined) {
      const near = nearestName(unknown, known);
      throw new Error(
        `BINDERY_DISABLED_OPERATIONS holds "${unknown}", which is no operation or group${near ? `; did you mean ${near}?` : '.'}`,
      );
    }
    this.#paths = new Set(
      [...all, 'pipeline'].filter(
        (path) => names.includes(path) || names.includes(path.split('/', 1)[0] ?? ''),
      ),
    );
  }

  has(path: string): boolean {
    return this.#paths.has(path);
  }

  /** A sentence for callers, where it is turned off. */
  why(path: string): string | undefined {
    return this.#paths.has(path) ? `${path} is turned off in this service.` : undefined;
  }

  /** 403 where it is. */
  refuse(path: string): void {
    const why = this.why(path);
    if (why === undefined) return;
    throw new Problem('forbidden', why, {
      hint: 'The operator has turned it off (BINDERY_DISABLED_OPERATIONS); /v1/openapi.json lists what there is.',
    });
  }

  /** What is left. */
  operations(): Record<string, AnyOperation> {
    return Object.fromEntries(Object.entries(OPERATIONS).filter(([path]) => !this.#paths.has(path)));
  }
}
