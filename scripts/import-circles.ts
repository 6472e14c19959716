// Circles in a directed graph: its strongly connected components of more than one node (Tarjan's algorithm).

export function circlesAmong(arrows: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];

  const visit = (node: string): number => {
    order.set(node, order.size);
    let low = order.get(node) ?? 0;
    open.push(node);
    for (const next of arrows.get(node) ?? []) {
      if (!arrows.has(next)) continue;
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (open.includes(next)) low = Math.min(low, order.get(next) ?? low);
    }
    if (low === order.get(node)) {
      const circle = open.splice(open.indexOf(node));
      if (circle.length > 1) circles.push(circle.sort());
    }
    return low;
  };

  for (const node of arrows.keys()) if (!order.has(node)) visit(node);
  return circles;
}
