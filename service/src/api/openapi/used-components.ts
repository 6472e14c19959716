// Components that nothing refers to are left out: which ones are used depends on the operations there are.

type Components = Record<string, Record<string, unknown>>;

export function usedComponents(paths: unknown, components: Components): Components {
  const used = new Set<string>();
  const queue: unknown[] = [paths];
  while (queue.length > 0) {
    for (const ref of refsIn(queue.pop())) {
      if (used.has(ref)) continue;
      used.add(ref);
      const [section = '', name = ''] = ref.split('/');
      queue.push(components[section]?.[name]);
    }
  }
  return Object.fromEntries(
    Object.entries(components).map(([section, table]) => [
      section,
      Object.fromEntries(Object.entries(table).filter(([name]) => used.has(`${section}/${name}`))),
    ]),
  );
}

const PREFIX = '#/components/';

function refsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(refsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' && inner.startsWith(PREFIX)
      ? [inner.slice(PREFIX.length)]
      : refsIn(inner),
  );
}
