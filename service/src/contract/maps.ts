// Maps whose values are made when they are first asked for, and maps of lists.

interface Store<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/** The value of a key; where there is none it is computed, once. */
export function computeOnce<K, V>(map: Store<K, V>, key: K, compute: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = compute();
  map.set(key, made);
  return made;
}

/** One more value in the list of a key. */
export function append<K, V>(map: Store<K, V[]>, key: K, value: V): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}
