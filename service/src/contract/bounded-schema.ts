// Lists and records of callers, checked no further than their first fault: the schema library tells every one, which for
// a list of a million wrong items takes seconds and gigabytes.
import { z } from 'zod';

interface ListDef<T extends z.core.$ZodType> extends z.core.$ZodArrayDef<T> {
  most: number;
}

const BoundedList = z.core.$constructor<z.ZodArray, ListDef<z.core.$ZodType>>('BoundedList', (inst, def) => {
  z.ZodArray.init(inst, def);
  inst._zod.parse = (payload, context) => {
    const input: unknown = payload.value;
    if (!Array.isArray(input)) {
      payload.issues.push({ code: 'invalid_type', expected: 'array', input, inst });
      return payload;
    }
    if (input.length > def.most) {
      payload.issues.push({ code: 'too_big', maximum: def.most, origin: 'array', input, inst });
      return payload;
    }
    const made: unknown[] = [];
    for (const [index, value] of input.entries()) {
      const item = settled(def.element._zod.run({ value, issues: [] }, context));
      if (item.issues.length > 0) {
        payload.issues.push(...z.core.util.prefixIssues(index, item.issues));
        return payload;
      }
      made.push(item.value);
    }
    payload.value = made;
    return payload;
  };
});

/** `z.array(element).min(min).max(max)`, to its first fault. */
export function listOf<T extends z.ZodType>(
  element: T,
  { min = 0, max, refusal }: { min?: number; max: number; refusal?: string },
): z.ZodArray<T> {
  const error = refusal === undefined ? {} : { error: () => refusal };
  const list = new BoundedList({ type: 'array', element, most: max, ...error });
  return list.min(min, refusal).max(max, refusal) as unknown as z.ZodArray<T>;
}

const BoundedRecord = z.core.$constructor<z.ZodRecord, z.core.$ZodRecordDef & { most: number }>(
  'BoundedRecord',
  (inst, def) => {
    z.ZodRecord.init(inst, def);
    inst._zod.parse = (payload, context) => {
      const input: unknown = payload.value;
      if (typeof input !== 'object' || input === null || Array.isArray(input)) {
        payload.issues.push({ code: 'invalid_type', expected: 'record', input, inst });
        return payload;
      }
      const names = Object.keys(input);
      if (names.length > def.most) {
        payload.issues.push({ code: 'too_big', maximum: def.most, origin: 'object', input, inst });
        return payload;
      }
      const made: [string, unknown][] = [];
      for (const name of names) {
        const value = (input as Record<string, unknown>)[name];
        const key = settled(def.keyType._zod.run({ value: name, issues: [] }, context));
        const item = settled(def.valueType._zod.run({ value, issues: [] }, context));
        const issues = [...key.issues, ...item.issues];
        if (issues.length > 0) {
          payload.issues.push(...z.core.util.prefixIssues(name, issues));
          return payload;
        }
        made.push([name, item.value]);
      }
      // A member named __proto__ is one like any other.
      payload.value = Object.fromEntries(made);
      return payload;
    };
  },
);

/** `z.record(key, value)` of at most so many names, to its first fault. */
export function recordOf<V extends z.ZodType>(
  key: z.ZodString,
  value: V,
  { max, refusal }: { max: number; refusal?: string },
): z.ZodRecord<z.ZodString, V> {
  const error = refusal === undefined ? {} : { error: () => refusal };
  const record = new BoundedRecord({ type: 'record', keyType: key, valueType: value, most: max, ...error });
  return record as unknown as z.ZodRecord<z.ZodString, V>;
}

/** No schema of ours waits for anything. */
function settled<T>(result: T | Promise<T>): T {
  if (result instanceof Promise) throw new Error('a schema of a caller waits');
  return result;
}
